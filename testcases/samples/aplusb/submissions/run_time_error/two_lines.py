# Expects each number on a line of its own: ValueError at once.
a = int(input())
b = int(input())
print(a + b)
