(use-modules (ice-9 threads))

(define n (read))
(define (sum k)
  (let loop ((i k) (acc 0))
    (if (> i n) acc (loop (+ i 4) (+ acc i)))))

(display (apply + (par-map sum '(1 2 3 4))))
(newline)
