(let [[_ & lines] (clojure.string/split-lines (slurp "/dev/stdin"))]
  (doseq [line lines]
    (println (reduce + (map parse-long (clojure.string/split line #" "))))))
