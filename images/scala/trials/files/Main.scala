object Main extends App {
  println(Greet.greeting)
}
