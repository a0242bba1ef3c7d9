/** Recurses in a thread with a stack of its own: the usual way in Java. */
public class DeepThread {
    static int[] parent;
    static int[] generation;

    static int generation(int dragon) {
        if (generation[dragon] == 0) {
            generation[dragon] = generation(parent[dragon]) + 1;
        }
        return generation[dragon];
    }

    public static void main(String[] args) throws Exception {
        byte[] text = System.in.readAllBytes();
        int at = 0;
        int[] numbers = new int[text.length / 2 + 1];
        int count = 0;
        for (; at < text.length; at++) {
            int number = 0;
            for (; at < text.length && text[at] >= '0'; at++) {
                number = number * 10 + text[at] - '0';
            }
            numbers[count++] = number;
        }
        int n = numbers[0];
        parent = new int[n + 1];
        generation = new int[n + 1];
        generation[1] = 1;
        System.arraycopy(numbers, 1, parent, 2, n - 1);
        Thread deep = new Thread(null, () -> {
            int most = 0;
            for (int dragon = 1; dragon <= n; dragon++) {
                most = Math.max(most, generation(dragon));
            }
            System.out.println(most);
        }, "deep", 128 << 20);
        deep.start();
        deep.join();
    }
}
