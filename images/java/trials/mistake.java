public class Main {
    public static void main(String[] args) {
        int n = "text"; // MISTAKE
        System.out.println(n);
    }
}
