print(int(input()) ** 0.5 * 1.0005)
