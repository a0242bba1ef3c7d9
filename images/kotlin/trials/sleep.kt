fun main() {
    Thread.sleep(3_600_000)
}
