(let [n (parse-long (read-line))]
  (println (reduce + (pmap #(reduce + (range % (inc n) 4)) [1 2 3 4])))
  (shutdown-agents))
