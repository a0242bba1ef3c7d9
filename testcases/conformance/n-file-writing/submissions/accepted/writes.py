import os

assert not os.path.exists("notes.txt")
open("notes.txt", "w").write(input())
print(2 * int(open("notes.txt").read()))
