import java.util.Scanner;

/** Throws ArithmeticException, or InputMismatchException, on what does not fit into 32 bits. */
public class AddExact {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.println(Math.addExact(in.nextInt(), in.nextInt()));
    }
}
