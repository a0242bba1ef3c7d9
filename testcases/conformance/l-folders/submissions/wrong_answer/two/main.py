from part import twice

print(twice(int(input())))
