#lang racket
(displayln (string-append "ñandú: " (read-line)))
