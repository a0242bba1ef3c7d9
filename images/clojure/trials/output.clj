(dotimes [i 163840]
  (println (format "%063d" i)))
