pub fn greeting() -> &'static str {
    "Hello, world!"
}
