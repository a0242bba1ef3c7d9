let n = Int(readLine()!)!
var out = ""
for _ in 0..<n {
    let pair = readLine()!.split(separator: " ").map { Int($0)! }
    out += "\(pair[0] + pair[1])\n"
}
print(out, terminator: "")
