import java.util.Scanner;

/** Gives up with an exit code where there is no row. */
public class SystemExit {
    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        if (n == 2 || n == 3) {
            System.exit(3);
        }
        StringBuilder row = new StringBuilder();
        for (int cat = 2; cat <= n; cat += 2) {
            row.append(cat).append(' ');
        }
        for (int cat = 1; cat <= n; cat += 2) {
            row.append(cat).append(' ');
        }
        System.out.println(row);
    }
}
