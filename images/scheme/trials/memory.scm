(let loop ((n 0) (all '()))
  (if (< n 4096)
      (loop (+ n 1) (cons (make-vector (ash 1 17) n) all))
      (begin
        (display (length all))
        (display "Hello, world!\n"))))
