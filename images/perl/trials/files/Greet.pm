package Greet;

sub greeting { "Hello, world!" }

1;
