(defun greeting () "Hello, world!")
