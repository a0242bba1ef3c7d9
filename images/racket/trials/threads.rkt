#lang racket
(define n (read))
(define results (make-channel))
(for ([k (in-range 1 5)])
  (thread (lambda () (channel-put results (for/sum ([i (in-range k (+ n 1) 4)]) i)))))
(displayln (for/sum ([_ 4]) (channel-get results)))
