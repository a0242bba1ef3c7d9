for i in range(163840):
    print("%063d" % i)
