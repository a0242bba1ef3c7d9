var n = 0
while n < 2 { n = (n + 1) % 2 }
