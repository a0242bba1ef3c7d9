import java.io.File

fun main() {
    File("/dev/stdin").bufferedReader().useLines { lines ->
        println(lines.drop(1).map { line -> line.split(" ").sumOf { it.toInt() } }.joinToString("\n"))
    }
}
