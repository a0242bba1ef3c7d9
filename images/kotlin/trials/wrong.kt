fun main() {
    println("Good bye!")
}
