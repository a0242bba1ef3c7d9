#lang racket
(define all (for/list ([i 4096]) (make-vector (expt 2 17) i)))
(displayln "Hello, world!")
(displayln (length all))
