def depth(n : Int32) : Int32
  n == 0 ? 0 : 1 + depth(n - 1)
end

puts depth(gets.not_nil!.to_i)
