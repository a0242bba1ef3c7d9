(use-modules (ice-9 format))

(let loop ((i 0))
  (when (< i 163840)
    (let ((digits (number->string i)))
      (display (string-append (make-string (- 63 (string-length digits)) #\0) digits "\n")))
    (loop (+ i 1))))
