local all = {}
for i = 1, 4096 do
  all[i] = string.rep(tostring(i % 10), 1 << 20)
end
print("Hello, world!")
