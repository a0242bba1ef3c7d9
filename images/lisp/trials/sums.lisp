(let ((n (read)))
  (dotimes (i n)
    (format t "~d~%" (+ (read) (read)))))
