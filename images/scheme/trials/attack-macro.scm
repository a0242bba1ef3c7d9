(define-syntax spin
  (lambda (x) (let loop () (loop))))
(spin)
