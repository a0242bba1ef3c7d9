func greet() {
    let unused = 1
    print("Hello, world!")
}

greet()
