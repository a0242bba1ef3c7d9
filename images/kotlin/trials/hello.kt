fun main() {
    println("Hello, world!")
}
