n = int(input())
