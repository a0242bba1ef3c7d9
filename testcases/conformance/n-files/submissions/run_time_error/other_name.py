print(int(input()) * int(open("faktor.txt").read()))
