#lang racket
(for ([i 163840])
  (displayln (~r i #:min-width 63 #:pad-string "0")))
