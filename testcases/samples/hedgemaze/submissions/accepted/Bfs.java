import java.util.ArrayDeque;
import java.util.Scanner;

public class Bfs {
    static final int[] DOWN = {0, 1, 0, -1};
    static final int[] RIGHT = {1, 0, -1, 0};

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int h = in.nextInt();
        int w = in.nextInt();
        char[][] garden = new char[h][];
        int start = 0;
        for (int i = 0; i < h; i++) {
            String row = in.next();
            garden[i] = row.toCharArray();
            if (row.indexOf('P') >= 0) {
                start = i * w + row.indexOf('P');
            }
        }
        int[] by = new int[h * w]; // the step that led there, from 1; 0: not seen
        by[start] = 5;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(start);
        while (!queue.isEmpty()) {
            int at = queue.remove();
            if (garden[at / w][at % w] == 'T') {
                System.out.println(wayTo(at, by, w));
                return;
            }
            for (int d = 0; d < 4; d++) {
                int row = at / w + DOWN[d];
                int column = at % w + RIGHT[d];
                if (row < 0 || row >= h || column < 0 || column >= w || garden[row][column] == '#') {
                    continue;
                }
                if (by[row * w + column] == 0) {
                    by[row * w + column] = d + 1;
                    queue.add(row * w + column);
                }
            }
        }
        System.out.println("impossible");
    }

    static String wayTo(int at, int[] by, int w) {
        StringBuilder way = new StringBuilder();
        while (by[at] != 5) {
            int d = by[at] - 1;
            way.append("ESWN".charAt(d));
            at -= DOWN[d] * w + RIGHT[d];
        }
        return way.reverse().toString();
    }
}
