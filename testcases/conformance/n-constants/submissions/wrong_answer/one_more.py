n = int(input())
print(2 * n if n < {{most}} else 2 * n + 1)
