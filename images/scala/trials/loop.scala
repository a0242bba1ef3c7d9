object Main extends App {
  while (true) {}
}
