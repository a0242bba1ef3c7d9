BEGIN {
    n = 1
    if (n == ) print n # MISTAKE
}
