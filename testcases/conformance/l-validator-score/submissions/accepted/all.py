# @EXPECTED_SCORE@: 150
print(input())
