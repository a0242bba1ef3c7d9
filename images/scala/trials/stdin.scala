object Main extends App {
  val lines = scala.io.Source.fromFile("/dev/stdin").getLines().drop(1)
  println(lines.map(_.split(" ").map(_.toInt).sum).mkString("\n"))
}
