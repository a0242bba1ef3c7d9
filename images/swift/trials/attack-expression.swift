// An expression of which there are too many readings.
let x: Double = -(1 + 2) * -(3 + 4) + [1, 2.5, 3].map { -$0 * 2 }.reduce(0, +) + -(5 + 6) * [1, 2].map { $0 + -1 }.reduce(1) { $0 * -$1 } + "a" - -(7)
print(x)
