(println (str "ñandú: " (read-line)))
