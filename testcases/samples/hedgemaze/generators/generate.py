"""Writes data/secret with a way found by breadth-first search; called in the package's folder."""
import collections
import pathlib
import random

rng = random.Random(1690)
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


def solve(grid):
    cells = {(i, j): c for i, row in enumerate(grid) for j, c in enumerate(row)}
    start = next(cell for cell, c in cells.items() if c == "P")
    ways, queue = {start: ""}, collections.deque([start])
    while queue:
        i, j = queue.popleft()
        if cells[i, j] == "T":
            return ways[i, j]
        for letter, (di, dj) in STEPS.items():
            cell = i + di, j + dj
            if cells.get(cell, "#") != "#" and cell not in ways:
                ways[cell] = ways[i, j] + letter
                queue.append(cell)
    return "impossible"


def write(name, grid):
    base = pathlib.Path("data/secret") / name
    base.with_suffix(".in").write_text("\n".join([f"{len(grid)} {len(grid[0])}", *grid]) + "\n")
    base.with_suffix(".ans").write_text(solve(grid) + "\n")


def noise(height, width, hedges):
    grid = [["#" if rng.random() < hedges else "." for _ in range(width)] for _ in range(height)]
    grid[height // 2][width // 2], grid[-1][0] = "P", "T"
    return ["".join(row) for row in grid]


def snake(size):
    """One long corridor that sweeps the garden row by row."""
    rows = []
    for i in range(size):
        gap = size - 1 if i % 4 == 1 else 0
        rows.append("." * size if i % 2 == 0 else "#" * gap + "." + "#" * (size - 1 - gap))
    rows[0] = "P" + rows[0][1:]
    end = 0 if (size - 1) % 4 == 2 else size - 1
    rows[-1] = rows[-1][:end] + "T" + rows[-1][end + 1:]
    return rows


write("01-neighbours", ["TP"])
write("02-column", ["P", ".", ".", "T"])
write("03-walled-in", ["...", ".#.", "#P#", "###", "..T"])
write("04-detour", ["P#T", ".#.", ".#.", "..."])
write("05-lawn", ["." * 50] * 24 + ["." * 30 + "P" + "." * 19] + ["." * 50] * 24 + ["T" + "." * 49])
write("06-sparse", noise(100, 100, 0.25))
write("07-dense", noise(100, 100, 0.37))
write("08-snake", snake(99))
