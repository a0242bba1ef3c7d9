options(expressions = 500000)

depth <- function(n) if (n == 0) 0 else 1 + depth(n - 1)

cat(format(depth(as.integer(readLines(file("stdin"), 1))), scientific = FALSE), "\n")
