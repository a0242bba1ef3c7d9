(dotimes (i 163840)
  (format t "~63,'0d~%" i))
