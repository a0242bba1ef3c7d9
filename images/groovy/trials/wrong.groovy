println "Good bye!"
