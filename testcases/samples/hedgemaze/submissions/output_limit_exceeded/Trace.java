/** Leaves its trace output in: 16 MiB in short lines. */
public class Trace {
    public static void main(String[] args) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 4096; i++) {
            lines.append("at ").append(1000 + i % 1000).append('\n');
        }
        for (int i = 0; i < 512; i++) {
            System.out.print(lines);
        }
    }
}
