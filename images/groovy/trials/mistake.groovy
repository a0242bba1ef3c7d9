int n = 1
if (n == ) { // MISTAKE
    println n
}
