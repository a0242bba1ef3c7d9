var all: [[Int]] = []
for i in 0..<4096 { all.append(Array(repeating: i, count: 1 << 17)) }
print("Hello, world!", all.count)
