[_ | lines] = File.stream!("/dev/stdin") |> Enum.to_list()

lines
|> Enum.map(fn line ->
  [a, b] = line |> String.split() |> Enum.map(&String.to_integer/1)
  [Integer.to_string(a + b), ?\n]
end)
|> IO.write()
