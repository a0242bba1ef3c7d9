import java.io.*;

public class Main {
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        String zeros = "0".repeat(63);
        for (int i = 0; i < 163840; i++) {
            String n = Integer.toString(i);
            out.println(zeros.substring(n.length()) + n);
        }
        out.flush();
    }
}
