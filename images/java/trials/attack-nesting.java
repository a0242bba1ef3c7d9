// Each class has two of the next: 2^n members of the closure.
public class Main {
    class A<T> { class B extends A<A<A<T>>> { B b; } A<B>.B c; }

    public static void main(String[] args) {
        A<String>.B x = null;
        x.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b = 1;
    }
}
