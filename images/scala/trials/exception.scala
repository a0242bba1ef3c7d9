object Main extends App {
  throw new IllegalStateException("on purpose")
}
