n = int(input())
print(2 * n if n in (7, 2, 1001, 2002) else 0)
