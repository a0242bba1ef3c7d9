# @EXPECTED_SCORE@: 10
print(2 * int(input()))
