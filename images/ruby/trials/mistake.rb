n = 1
if n == ) # MISTAKE
  puts n
end
