func greeting() -> String { "Hello, world!" }
