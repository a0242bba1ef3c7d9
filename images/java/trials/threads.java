import java.util.*;

public class Main {
    public static void main(String[] args) throws InterruptedException {
        int n = new Scanner(System.in).nextInt();
        long[] sums = new long[4];
        Thread[] threads = new Thread[4];
        for (int k = 0; k < 4; k++) {
            int first = k + 1;
            threads[k] = new Thread(() -> { for (int i = first; i <= n; i += 4) sums[first - 1] += i; });
            threads[k].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(Arrays.stream(sums).sum());
    }
}
