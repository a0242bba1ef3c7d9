"""Accepts n and n - 1 parents that make a tree with root 1."""
import re
import sys

text = sys.stdin.buffer.read()
if not re.fullmatch(rb"1\n|[1-9][0-9]{0,5}\n[1-9][0-9]{0,5}( [1-9][0-9]{0,5})*\n", text):
    sys.exit("not a line with n and a line with parents")
n, *parents = map(int, text.split())
if n > 110_000 or len(parents) != n - 1 or max(parents, default=1) > n:
    sys.exit("wrong number of parents, or a parent that does not exist")
descends = [False] * (n + 1)
descends[1] = True
for dragon in range(2, n + 1):
    line = []
    while not descends[dragon]:
        if len(line) > n:
            sys.exit("a dragon that is its own ancestor")
        line.append(dragon)
        dragon = parents[dragon - 2]
    for dragon in line:
        descends[dragon] = True
sys.exit(42)
