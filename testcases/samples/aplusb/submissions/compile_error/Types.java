import java.util.Scanner;

/** A long does not fit into an int without a cast. */
public class Types {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int sum = in.nextLong() + in.nextLong();
        System.out.println(sum);
    }
}
