#lang racket
(define n 1)
(displayln (+ n unknown-name)) ; MISTAKE
