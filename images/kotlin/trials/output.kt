fun main() {
    val out = StringBuilder()
    for (i in 0 until 163840) out.append(i.toString().padStart(63, '0')).append('\n')
    print(out)
}
