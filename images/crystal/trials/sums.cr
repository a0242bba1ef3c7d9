n = gets.not_nil!.to_i
n.times do
  a, b = gets.not_nil!.split.map(&.to_i)
  puts a + b
end
