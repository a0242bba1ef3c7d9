all <- list()
for (i in 1:4096) all[[i]] <- rep(i + 0.5, 2^17)
cat("Hello, world!\n")
