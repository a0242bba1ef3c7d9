require_relative "greet"

puts greeting
