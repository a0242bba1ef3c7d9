#lang racket
(provide greeting)
(define (greeting) "Hello, world!")
