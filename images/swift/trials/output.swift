for i in 0..<163840 {
    let digits = String(i)
    print(String(repeating: "0", count: 63 - digits.count) + digits)
}
