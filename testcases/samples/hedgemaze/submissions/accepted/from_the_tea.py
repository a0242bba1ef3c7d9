# Searches from the tea and follows the distances down, preferring other letters than its colleagues.
import sys


def main():
    size, *rows = sys.stdin.read().split("\n")
    h, w = map(int, size.split())
    garden = "#" * (w + 1) + "#".join(row[:w] for row in rows[:h]) + "#" * (w + 2)
    start, tea = garden.index("P"), garden.index("T")
    steps = [("W", -1), ("S", w + 1), ("E", 1), ("N", -w - 1)]
    distance = {tea: 0}
    layer = [tea]
    while layer and start not in distance:
        following = []
        for at in layer:
            for _, step in steps:
                to = at + step
                if garden[to] != "#" and to not in distance:
                    distance[to] = distance[at] + 1
                    following.append(to)
        layer = following
    if start not in distance:
        return "impossible"
    way, at = [], start
    while at != tea:
        letter, at = next((l, at + s) for l, s in steps if distance.get(at + s) == distance[at] - 1)
        way.append(letter)
    return "".join(way)


print(main())
