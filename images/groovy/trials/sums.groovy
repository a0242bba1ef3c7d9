def input = System.in.newReader()
def out = new StringBuilder()
(input.readLine() as int).times {
    def (a, b) = input.readLine().split(" ").collect { it as int }
    out << (a + b) << "\n"
}
print out
