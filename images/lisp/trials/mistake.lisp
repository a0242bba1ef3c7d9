(defun greet ()
  (format t "Hello, world!~%")
#<mistake> ; MISTAKE
(greet)
