object Main extends App {
  val x: Option[Int] = Some(1)
  x match { case Some(1) => println("Hello, world!") }
}
