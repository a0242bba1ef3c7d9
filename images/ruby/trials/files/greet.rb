def greeting = "Hello, world!"
