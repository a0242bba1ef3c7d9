(format t "Hello, world!~%")
