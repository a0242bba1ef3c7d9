MOST = {{most}}

n = int(input())
assert n <= MOST
print(2 * n if n != 21 else 42.25)
