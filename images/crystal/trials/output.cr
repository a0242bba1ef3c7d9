163840.times { |i| puts "%063d" % i }
