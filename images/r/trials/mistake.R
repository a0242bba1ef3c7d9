n <- 1
if (n == ) { # MISTAKE
  print(n)
}
