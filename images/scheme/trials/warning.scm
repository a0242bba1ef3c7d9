(define (greeting) (format #t "Hello, world!~%" 1))
(display "Hello, world!\n")
