n = gets.to_i
n.times do
  a, b = gets.split.map(&:to_i)
  puts a + b
end
