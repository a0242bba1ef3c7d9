(defn depth [n] (if (zero? n) 0 (inc (depth (dec n)))))

(println (depth (parse-long (read-line))))
