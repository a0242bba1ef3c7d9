input <- file("stdin", "r")
n <- as.integer(readLines(input, 1))
for (line in readLines(input, n)) {
  cat(sum(as.integer(strsplit(line, " ")[[1]])), "\n")
}
