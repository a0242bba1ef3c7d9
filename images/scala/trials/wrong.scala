object Main extends App {
  println("Good bye!")
}
