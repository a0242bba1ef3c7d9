lines = File.read_lines("/dev/stdin")
lines[1..].each { |line| puts line.split.sum(&.to_i) }
