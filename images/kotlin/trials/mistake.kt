fun main() {
    val n: Int = "text" // MISTAKE
    println(n)
}
