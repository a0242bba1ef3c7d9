# Says nothing where there is no way.
import sys

size, *rows = sys.stdin.read().split("\n")
h, w = map(int, size.split())
garden = "#" * (w + 1) + "#".join(row[:w] for row in rows[:h]) + "#" * (w + 2)
ways = {garden.index("P"): ""}
layer = list(ways)
while layer:
    following = []
    for at in layer:
        if garden[at] == "T":
            print(ways[at])
        for letter, step in ("N", -w - 1), ("E", 1), ("S", w + 1), ("W", -1):
            if garden[at + step] != "#" and at + step not in ways:
                ways[at + step] = ways[at] + letter
                following.append(at + step)
    layer = following
