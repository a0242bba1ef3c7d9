/** Counts from a towards the sum, but never arrives. */
public class Endless {
    static volatile long position;

    public static void main(String[] args) {
        while (true) {
            position++;
        }
    }
}
