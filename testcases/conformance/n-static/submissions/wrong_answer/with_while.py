while True:
    print(2 * int(input()))
    break
