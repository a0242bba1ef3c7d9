n = int(input())
print(0 if n > 10 else 2 * n)
