BEGIN {
    for (i = 0; i < 100000000; i++) all[i] = i
    print "Hello, world!"
}
