print(10 ** 9)
