n = int(input())
print(2 * n if n else 1)
