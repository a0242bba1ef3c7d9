(dotimes [_ (Integer/parseInt (read-line))]
  (let [[a b] (map parse-long (.split (read-line) " "))]
    (println (+ a b))))
