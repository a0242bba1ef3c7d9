(let* ((n (read))
       (threads (loop for k from 1 to 4
                      collect (let ((k k))
                                (sb-thread:make-thread
                                 (lambda () (loop for i from k to n by 4 sum i)))))))
  (format t "~d~%" (reduce #'+ (mapcar #'sb-thread:join-thread threads))))
