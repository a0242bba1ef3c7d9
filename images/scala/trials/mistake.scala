object Main extends App {
  val n: Int = "text" // MISTAKE
  println(n)
}
