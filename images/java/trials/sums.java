import java.io.*;
import java.util.*;

public class Sums {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        for (int n = Integer.parseInt(in.readLine()); n > 0; n--) {
            StringTokenizer words = new StringTokenizer(in.readLine());
            out.println(Integer.parseInt(words.nextToken()) + Integer.parseInt(words.nextToken()));
        }
        out.flush();
    }
}
