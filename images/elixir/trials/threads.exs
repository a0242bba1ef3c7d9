n = IO.gets("") |> String.trim() |> String.to_integer()

1..4
|> Enum.map(fn k -> Task.async(fn -> Enum.sum(k..n//4) end) end)
|> Enum.map(&Task.await/1)
|> Enum.sum()
|> IO.puts()
