# @EXPECTED_SCORE@: 60
n = int(input())
print(2 * n if n > 1000 or n == 7 else 0)
