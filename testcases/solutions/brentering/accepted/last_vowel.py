name = input()
print(name[:1 + max(map(name.rfind, "aeiou"))] + "ntry")
