local n = io.read("n")
for _ = 1, n do
  local a, b = io.read("n", "n")
  print(a + b)
end
