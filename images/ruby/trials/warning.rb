def greeting
  unused = 1
  "Hello, world!"
end

puts greeting
