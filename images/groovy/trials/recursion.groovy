class Main {
    static int depth(int n) { n == 0 ? 0 : 1 + depth(n - 1) }

    static void main(String[] args) {
        println depth(System.in.newReader().readLine() as int)
    }
}
