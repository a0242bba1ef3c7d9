(use-modules (greet))

(display (greeting))
