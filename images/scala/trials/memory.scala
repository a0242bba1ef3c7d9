object Main extends App {
  val all = (1 to 4096).map(_ => new Array[Int](1 << 18))
  println("Hello, world!")
}
