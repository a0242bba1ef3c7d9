cat("ñandú: ", readLines(file("stdin"), 1), "\n", sep = "")
