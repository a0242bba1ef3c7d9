(print #.(make-array (ash 1 31) :initial-element 1))
