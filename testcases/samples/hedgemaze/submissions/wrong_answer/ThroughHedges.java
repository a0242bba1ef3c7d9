import java.util.Scanner;

/** The professor can fly. */
public class ThroughHedges {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int h = in.nextInt();
        in.nextInt();
        int down = 0;
        int right = 0;
        for (int i = 0; i < h; i++) {
            String row = in.next();
            if (row.indexOf('P') >= 0) {
                down -= i;
                right -= row.indexOf('P');
            }
            if (row.indexOf('T') >= 0) {
                down += i;
                right += row.indexOf('T');
            }
        }
        String across = (right > 0 ? "E" : "W").repeat(Math.abs(right));
        System.out.println((down < 0 ? "N" : "S").repeat(Math.abs(down)) + across);
    }
}
