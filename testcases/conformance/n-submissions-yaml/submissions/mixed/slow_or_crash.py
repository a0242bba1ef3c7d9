n = int(input())
while n == 1:
    pass
assert n != 2
print(2 * n)
