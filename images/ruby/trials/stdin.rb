lines = File.read("/dev/stdin").lines
lines[1..].each { |line| puts line.split.map(&:to_i).sum }
