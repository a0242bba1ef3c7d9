BEGIN { while (1); }
