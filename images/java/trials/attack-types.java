// Each method's type is twice as long as the one before it.
public class Main {
    static <A> java.util.Map<A, A> f(A a) { return null; }

    public static void main(String[] args) {
        int x = f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f("")))))))))))))))))))))))))))))));
    }
}
