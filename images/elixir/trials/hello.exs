IO.puts("Hello, world!")
