require "./greet"

puts greeting
