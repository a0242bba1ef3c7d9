(load (merge-pathnames "greet" *load-truename*))

(format t "~a~%" (greeting))
