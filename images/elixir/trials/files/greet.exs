defmodule Greet do
  def greeting, do: "Hello, world!"
end
