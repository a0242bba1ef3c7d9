print(round(int(input()) ** 0.5 + 0.0005, 4))
