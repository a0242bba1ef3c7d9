(defun greeting ()
  (let ((unused 1))
    "Hello, world!"))

(format t "~a~%" (greeting))
