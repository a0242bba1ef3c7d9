print(max(2 * int(input()) - 1, 1))
