all = []
4096.times { |i| all << Array.new(1 << 17) { |k| i + k } }
puts "Hello, world!"
