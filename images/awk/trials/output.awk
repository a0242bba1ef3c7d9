BEGIN { for (i = 0; i < 163840; i++) printf "%063d\n", i }
