local n = 1
if n == then -- MISTAKE
  print(n)
end
