import java.nio.file.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(Files.newInputStream(Path.of("/dev/stdin")));
        StringBuilder out = new StringBuilder();
        for (int n = in.nextInt(); n > 0; n--) out.append(in.nextInt() + in.nextInt()).append('\n');
        System.out.print(out);
    }
}
