my @all;
push @all, "x" x (1 << 20) for 1 .. 4096;
print "Hello, world!\n";
