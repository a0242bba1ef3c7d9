fun main() {
    val out = StringBuilder()
    repeat(readln().toInt()) {
        val (a, b) = readln().split(" ").map { it.toInt() }
        out.append(a + b).append('\n')
    }
    print(out)
}
