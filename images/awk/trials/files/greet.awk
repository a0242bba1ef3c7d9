function greeting() {
    return "Hello, world!"
}
