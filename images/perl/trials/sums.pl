use strict;
use warnings;

my $n = <STDIN>;
for (1 .. $n) {
    my ($a, $b) = split ' ', <STDIN>;
    print $a + $b, "\n";
}
