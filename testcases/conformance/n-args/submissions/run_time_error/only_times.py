import sys

assert sys.argv[1] == "times"
print(int(input()) * int(sys.argv[2]))
