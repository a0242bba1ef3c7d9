n = int(input())
held = bytearray(b'x' * (300 << 20))
print(2 * n)
