import scala.io.StdIn

object Main {
  def main(args: Array[String]): Unit = {
    val out = new StringBuilder
    for (_ <- 1 to StdIn.readInt()) {
      val Array(a, b) = StdIn.readLine().split(" ").map(_.toInt)
      out.append(a + b).append('\n')
    }
    print(out)
  }
}
