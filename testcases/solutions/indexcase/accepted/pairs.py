# Walks round the circle with the last two values of the state before; begun[pair] is the set, as bits, of the pairs
# with which a walk to this pair may have begun.
import sys

n, m, *numbers = map(int, sys.stdin.read().split())
steps = [[] for _ in range(m + 1)]
for triple, value in enumerate(numbers[:m ** 3]):
    steps[value].append((triple // m, triple % (m * m)))
begun = [1 << pair for pair in range(m * m)]
for value in numbers[m ** 3:]:
    following = [0] * (m * m)
    for before, after in steps[value]:
        following[after] |= begun[before]
    begun = following
print("yes" if any(begun[pair] >> pair & 1 for pair in range(m * m)) else "no")
