BEGIN {
    zero = 0
    print 1 / zero
}
