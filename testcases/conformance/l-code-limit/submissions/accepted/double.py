from table import TWO

print(TWO * int(input()))
