defmodule Main do
  def depth(0), do: 0
  def depth(n), do: 1 + depth(n - 1)
end

IO.gets("") |> String.trim() |> String.to_integer() |> Main.depth() |> IO.puts()
