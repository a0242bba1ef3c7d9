print(int(input()) ** 0.5 + 0.0009)
