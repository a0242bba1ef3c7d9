(defvar *all* nil)
(dotimes (i 4096)
  (push (make-array (ash 1 17) :initial-element i) *all*))
(format t "Hello, world!~%")
