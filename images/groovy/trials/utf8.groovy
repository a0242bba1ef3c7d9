println "ñandú: " + System.in.newReader("UTF-8").readLine()
