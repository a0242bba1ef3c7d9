print("+%.12E" % int(input()) ** 0.5)
