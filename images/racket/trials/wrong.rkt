#lang racket
(displayln "Good bye!")
