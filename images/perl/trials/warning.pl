my $unused = 1;
my $unused = 2;
print "Hello, world!\n";
