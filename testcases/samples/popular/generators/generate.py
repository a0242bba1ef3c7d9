"""Writes data/secret; called in the package's folder."""
import collections
import pathlib
import random

rng = random.Random(1840)


def write(name, stamps):
    base = pathlib.Path("data/secret") / name
    counts = collections.Counter(stamps)
    base.with_suffix(".in").write_text(f"{len(stamps)}\n{' '.join(map(str, stamps))}\n")
    base.with_suffix(".ans").write_text(f"{min(counts, key=lambda stamp: (-counts[stamp], stamp))}\n")


write("1-small/01-one", [7])
write("1-small/02-highest", [99_999] * 3 + [1, 2])
write("1-small/03-tie", [30, 20, 10, 20, 30, 10])
write("1-small/04-tie-of-strings", [10, 9, 10, 9, 100])
write("1-small/05-random", [rng.randrange(1, 100_000) for _ in range(1000)] + [271])
write("2-large/06-random", [rng.randrange(10_000, 20_000) for _ in range(400_000)])
write("2-large/07-one-stamp-only", [5] * 65_536 + [3] * 400)
