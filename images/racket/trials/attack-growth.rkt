#lang racket
(define-syntax-rule (grow a ...) (grow a ... a ... 1))
(grow 1)
