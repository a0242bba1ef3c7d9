import kotlin.concurrent.thread

fun main() {
    val n = readln().toInt()
    val sums = LongArray(4)
    (0..3).map { k -> thread { for (i in k + 1..n step 4) sums[k] += i.toLong() } }.forEach { it.join() }
    println(sums.sum())
}
