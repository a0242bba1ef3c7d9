fun main() {
    error("on purpose")
}
