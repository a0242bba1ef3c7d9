import time
what, word = input().split()
while time.process_time() < 0.2:
    pass
letters = "abcdefghij"
if what == "encode":
    print("".join(letters[int(c)] for c in word))
else:
    print("".join(str(letters.index(c)) for c in word))
