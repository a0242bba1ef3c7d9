(define-module (greet) #:export (greeting))

(define (greeting) "Hello, world!\n")
