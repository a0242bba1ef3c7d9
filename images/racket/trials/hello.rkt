#lang racket
(displayln "Hello, world!")
