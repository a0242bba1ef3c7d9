def all = []
for (i in 0..<4096) all << new int[1 << 18]
println "Hello, world!"
