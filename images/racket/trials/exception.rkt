#lang racket
(error "on purpose")
