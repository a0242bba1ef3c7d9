(def all (mapv #(long-array 131072 %) (range 4096)))
(println "Hello, world!")
