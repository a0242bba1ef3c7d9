fun main() {
    val all = List(4096) { IntArray(1 shl 18) }
    println("Hello, world! ${all.size}")
}
