local input = io.open("/dev/stdin")
local n = input:read("n")
for _ = 1, n do
  local a, b = input:read("n", "n")
  print(a + b)
end
