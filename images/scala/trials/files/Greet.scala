object Greet {
  def greeting = "Hello, world!"
}
