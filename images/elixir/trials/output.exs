for i <- 0..163_839, do: IO.puts(String.pad_leading(Integer.to_string(i), 63, "0"))
