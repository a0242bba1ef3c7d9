(defmacro spin () (loop))
(spin)
