n = int(input())
print(2 * n + 3 * (n > 1000))
