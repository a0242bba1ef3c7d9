printf "%063d\n", $_ for 0 .. 163839;
