import java.util.*;

public class Main {
    public static void main(String[] args) {
        System.out.println("ñandú: " + new Scanner(System.in).nextLine());
    }
}
