print(int(input()) * int(open("factor.txt").read()))
