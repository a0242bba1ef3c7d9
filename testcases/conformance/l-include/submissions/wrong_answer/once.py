from helper import twice

print(twice(int(input())) // 2)
