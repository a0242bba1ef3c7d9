n = IO.gets("") |> String.trim() |> String.to_integer()

for _ <- 1..n do
  [a, b] = IO.gets("") |> String.split() |> Enum.map(&String.to_integer/1)
  IO.puts(a + b)
end
