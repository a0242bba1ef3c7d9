object Main extends App {
  def depth(n: Int): Int = if (n == 0) 0 else 1 + depth(n - 1)

  println(depth(scala.io.StdIn.readInt()))
}
