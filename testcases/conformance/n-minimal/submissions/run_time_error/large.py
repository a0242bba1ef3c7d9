n = int(input())
assert n < 1000
print(2 * n)
