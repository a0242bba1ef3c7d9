import sys

n, k = int(input()), int(sys.argv[2])
print(n * k if sys.argv[1] == "times" else n + k)
