n = 1
puts n + unknown_name # MISTAKE
