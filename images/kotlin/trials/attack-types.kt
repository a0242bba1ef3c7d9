// Each type is twice as long as the one before it.
class P<A, B>

fun <A> f(a: A): P<A, A> = P()

fun main() {
    val x: Int = f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(1))))))))))))))))))))))))))))))
}
