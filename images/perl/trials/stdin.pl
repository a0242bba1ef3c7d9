open my $in, '<', '/dev/stdin' or die $!;
my $n = <$in>;
while (<$in>) {
    my ($a, $b) = split;
    print $a + $b, "\n";
}
