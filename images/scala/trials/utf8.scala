object Main extends App {
  println("ñandú: " + scala.io.StdIn.readLine())
}
