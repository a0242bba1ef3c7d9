fun main() {
    val words = "Hello, world!"
    println(words!!)
}
