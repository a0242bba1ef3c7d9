import java.io.*;
import java.util.*;
import java.util.stream.*;

// What most programs load; run once in a new box.
class Warm {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringTokenizer words = new StringTokenizer(String.valueOf(in.readLine()));
        Scanner scanner = new Scanner("3 4.5 six");
        long sum = scanner.nextInt() + (long) scanner.nextDouble() + words.countTokens();
        Map<String, Integer> map = new TreeMap<>(new HashMap<>(Map.of(scanner.next(), 1)));
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        Collections.sort(list);
        Deque<Integer> deque = new ArrayDeque<>(new PriorityQueue<>(list));
        String joined = IntStream.range(0, 4).mapToObj(Integer::toString).collect(Collectors.joining(" "));
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        out.printf("%d %.3f %s%n", sum, Math.sqrt(sum), joined + map + deque);
        out.flush();
    }
}
