n = int(input())
if n in (43, 2, 101, 78):
    raise SystemExit(1)
print(n + 1, flush=True)
