#lang racket
(define in (open-input-file "/dev/stdin"))
(for ([_ (in-range (read in))])
  (displayln (+ (read in) (read in))))
