(with-open-file (in "/dev/stdin")
  (dotimes (i (read in))
    (format t "~d~%" (+ (read in) (read in)))))
