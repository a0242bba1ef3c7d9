(define-syntax grow
  (syntax-rules () ((_ a ...) (grow a ... a ... 1))))
(grow 1)
