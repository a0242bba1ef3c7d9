object Warm extends App {
  val numbers = Iterator.continually(scala.io.StdIn.readLine()).takeWhile(_ != null).map(_.trim.toInt).toList
  println(List(1, 2, 3).map(_ * 2L).sum + numbers.size)
}
