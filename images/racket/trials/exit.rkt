#lang racket
(exit 3)
