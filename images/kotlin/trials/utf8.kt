fun main() {
    println("ñandú: " + readln())
}
