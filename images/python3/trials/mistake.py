n = 1
if n = 2:  # MISTAKE
    print(n)
