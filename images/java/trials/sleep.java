public class Main {
    public static void main(String[] args) throws InterruptedException {
        Thread.sleep(3_600_000);
    }
}
