import java.util.*;

public class Main {
    public static void main(String[] args) {
        List all = new ArrayList();
        all.add("Hello, world!");
        System.out.println(all.get(0));
    }
}
