Code.require_file("greet.exs", __DIR__)

IO.puts(Greet.greeting())
