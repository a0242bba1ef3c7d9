(println "Good bye!")
