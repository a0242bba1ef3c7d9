data = []
for i in range(4096):
    data.append([i] * (1 << 17))
print("Hello, world!")
