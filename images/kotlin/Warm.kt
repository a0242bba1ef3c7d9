fun main() {
    val numbers = generateSequence(::readLine).map { it.trim().toInt() }.toList()
    println(listOf(1, 2, 3).sumOf { it * 2L } + numbers.size)
}
