(println "Hello, world!")

(println "one too many")) ; MISTAKE
