n = 1

if n == ) do # MISTAKE
  IO.puts(n)
end
