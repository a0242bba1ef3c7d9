(format t "ñandú: ~a~%" (read-line))
