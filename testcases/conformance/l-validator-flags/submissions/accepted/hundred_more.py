n = int(input())
print(2 * n + (100 if n != 7 else 0))
