all = [] of Array(Int32)
4096.times { |i| all << Array.new(1 << 18, i) }
puts "Hello, world! #{all.size}"
