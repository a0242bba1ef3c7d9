n = int(input())
print(0 if n == 11 else 2 * n)
