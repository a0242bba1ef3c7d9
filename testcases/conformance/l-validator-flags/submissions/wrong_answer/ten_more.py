n = int(input())
print(2 * n + (10 if n != 7 else 0))
