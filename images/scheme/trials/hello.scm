(display "Hello, world!\n")
