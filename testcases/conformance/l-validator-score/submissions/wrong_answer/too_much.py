print(1000)
