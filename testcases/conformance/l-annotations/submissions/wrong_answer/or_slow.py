# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT
n = int(input())
while n == 0:
    pass
print(n)
