object Main extends App {
  Thread.sleep(3600000)
}
