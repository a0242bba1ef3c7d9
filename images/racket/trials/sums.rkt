#lang racket/base
(for ([_ (in-range (read))])
  (displayln (+ (read) (read))))
