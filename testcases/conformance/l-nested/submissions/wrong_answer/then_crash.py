n = int(input())
if n == 2:
    print(0)
elif n == 3:
    raise SystemExit(1)
else:
    print(2 * n)
