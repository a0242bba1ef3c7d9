(println "Hello, world!")
