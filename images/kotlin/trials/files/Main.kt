fun main() {
    println(greeting())
}
