import java.util.Scanner;
import java.util.TreeMap;

/** Compares the numbers as words, where 10 comes before 9. */
public class AsStrings {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        TreeMap<String, Integer> sold = new TreeMap<>();
        for (int i = 0; i < n; i++) {
            sold.merge(in.next(), 1, Integer::sum);
        }
        String best = sold.firstKey();
        for (String stamp : sold.keySet()) {
            if (sold.get(stamp) > sold.get(best)) {
                best = stamp;
            }
        }
        System.out.println(best);
    }
}
