all = for n <- 1..4096, do: :binary.copy(<<n>>, 1_048_576)
IO.puts("Hello, world! #{length(all)}")
