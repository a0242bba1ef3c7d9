println "Hello, world!"
