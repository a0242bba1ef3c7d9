(format t "Good bye!~%")
