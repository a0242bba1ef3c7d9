def lines = new File("/dev/stdin").newReader().readLines()
def out = new StringBuilder()
lines.drop(1).each { line -> out << line.split(" ").collect { it as int }.sum() << "\n" }
print out
