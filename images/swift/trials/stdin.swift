import Foundation

let text = try! String(contentsOfFile: "/dev/stdin", encoding: .utf8)
for line in text.split(separator: "\n").dropFirst() {
    print(line.split(separator: " ").map { Int($0)! }.reduce(0, +))
}
