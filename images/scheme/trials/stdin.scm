(call-with-input-file "/dev/stdin"
  (lambda (in)
    (let loop ((n (read in)))
      (unless (= n 0)
        (let* ((a (read in)) (b (read in)))
          (display (+ a b))
          (newline))
        (loop (- n 1))))))
