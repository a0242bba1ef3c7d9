fun greeting() = "Hello, world!"
