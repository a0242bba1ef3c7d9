# @EXPECTED_SCORE@: 30
print(2 * int(input()))
