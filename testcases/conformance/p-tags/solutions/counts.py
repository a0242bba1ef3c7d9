n = int(input())
k = 0
while k < 2000 * n:
    k += 1
print(2 * n)
