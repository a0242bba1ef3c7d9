use strict;
use Greet;

print Greet::greeting(), "\n";
