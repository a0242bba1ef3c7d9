# @EXPECTED_SCORE@: 75
print(int(input()) // 2)
