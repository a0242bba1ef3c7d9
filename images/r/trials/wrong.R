cat("Good bye!\n")
