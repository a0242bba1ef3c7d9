n = int(input())
print(2 * n)
assert n < 1000
