(defun depth (n)
  (if (= n 0) 0 (1+ (depth (1- n)))))

(format t "~d~%" (depth (read)))
