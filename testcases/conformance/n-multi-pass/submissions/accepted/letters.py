what, word = input().split()
letters = "abcdefghij"
if what == "encode":
    print("".join(letters[int(c)] for c in word))
else:
    print("".join(str(letters.index(c)) for c in word))
