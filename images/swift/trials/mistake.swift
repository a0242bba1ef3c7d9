let words = "text"
let n: Int = words // MISTAKE
print(n)
