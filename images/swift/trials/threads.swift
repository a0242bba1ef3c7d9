import Dispatch

let n = Int(readLine()!)!
let sums = UnsafeMutablePointer<Int>.allocate(capacity: 4)
sums.initialize(repeating: 0, count: 4)
DispatchQueue.concurrentPerform(iterations: 4) { k in
    var sum = 0
    for i in stride(from: k + 1, through: n, by: 4) { sum += i }
    sums[k] = sum
}
print(sums[0] + sums[1] + sums[2] + sums[3])
