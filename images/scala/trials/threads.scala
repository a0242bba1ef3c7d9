object Main {
  def main(args: Array[String]): Unit = {
    val n = scala.io.StdIn.readInt()
    println(List(1, 2, 3, 4).par.map(k => (k to n by 4).map(_.toLong).sum).sum)
  }
}
