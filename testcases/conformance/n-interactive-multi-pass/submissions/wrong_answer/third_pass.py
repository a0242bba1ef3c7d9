n = int(input())
print(n + 1 if n < 44 or n in (77, 78, 100, 101) else 0, flush=True)
