"""Writes data/secret; called in the package's folder."""
import pathlib
import random

rng = random.Random(1066)


def write(name, parents):
    """parents[i] is the parent of dragon i in an order of birth, with 0 the mother; the numbers are shuffled here."""
    number = list(range(2, len(parents) + 1))
    rng.shuffle(number)
    number.insert(0, 1)
    generation, registered = [1], {}
    for child, parent in enumerate(parents[1:], 1):
        generation.append(generation[parent] + 1)
        registered[number[child]] = number[parent]
    base = pathlib.Path("data/secret") / name
    lines = [str(len(parents)), " ".join(str(registered[i]) for i in sorted(registered))]
    base.with_suffix(".in").write_text("\n".join(line for line in lines if line) + "\n")
    base.with_suffix(".ans").write_text(f"{max(generation)}\n")


write("01-alone", [0])
write("02-child", [0, 0])
write("03-star", [0] * 50)
write("04-binary", [(i - 1) // 2 if i else 0 for i in range(127)])
write("05-random", [rng.randrange(i) if i else 0 for i in range(1000)])
write("06-line", [max(0, i - 1) for i in range(101_000)])
write("07-comb", [max(0, i - 1) if i < 100_500 else rng.randrange(100_500) for i in range(110_000)])
