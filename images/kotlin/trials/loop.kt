fun main() {
    while (true) {
    }
}
