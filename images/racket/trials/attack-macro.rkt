#lang racket
(define-syntax (spin stx) (let loop () (loop)))
(spin)
