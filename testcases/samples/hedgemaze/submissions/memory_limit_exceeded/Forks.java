import java.util.ArrayList;
import java.util.List;

/** Keeps every way that it has begun until the heap is full: OutOfMemoryError. */
public class Forks {
    public static void main(String[] args) {
        List<long[]> ways = new ArrayList<>();
        for (int i = 0; i < 16 * 1024; i++) {
            ways.add(new long[8 * 1024]);
        }
        System.out.println(ways.size());
    }
}
