IO.puts("Good bye!")
