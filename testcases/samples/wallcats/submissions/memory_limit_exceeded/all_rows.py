# Keeps 256 blocks of 4 MiB, every byte of them written.
rows = []
while len(rows) < 256:
    rows.append(bytearray(b"x") * (4 << 20))
print(len(rows))
