defmodule Main do
  def spin(n), do: spin(n + 1)
end

Main.spin(0)
