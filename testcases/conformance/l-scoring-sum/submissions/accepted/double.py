# @EXPECTED_SCORE@: 100
print(2 * int(input()))
