#lang racket
(require "greet.rkt")
(displayln (greeting))
