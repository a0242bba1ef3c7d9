import java.util.*;

public class Main {
    public static void main(String[] args) {
        List<int[]> all = new ArrayList<>();
        for (int i = 0; i < 4096; i++) all.add(new int[1 << 18]);
        System.out.println("Hello, world!");
    }
}
