let greeting () = "Hello, world!"
