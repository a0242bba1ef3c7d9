for (i in 0:163839) cat(sprintf("%063d\n", i))
