# Walks into the first hedge, and tries again.
import sys

garden = sys.stdin.read()
steps = 0
while "T" in garden:
    steps = (steps + 1) % 1000
print("impossible")
