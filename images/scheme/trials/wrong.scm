(display "Good bye!\n")
