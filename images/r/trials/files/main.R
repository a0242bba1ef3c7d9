source("/box/p/greet.R")

cat(greeting(), "\n")
