# @EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER
import os

n = int(input())
print(2 * n + os.getpid() % 2)
