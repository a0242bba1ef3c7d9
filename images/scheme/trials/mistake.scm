(define (greet)
  (display "Hello, world!\n"))
(greet)) ; MISTAKE
