// Peano numbers that double.
object Main extends App {
  class P[A, B]
  def f[A](a: A): P[A, A] = null
  val x: Int = f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(1))))))))))))))))))))))))))))))
}
