"""Writes data/secret; called in the package's folder. The answers have 40 digits of working precision."""
import decimal
import pathlib
import random

decimal.getcontext().prec = 40
rng = random.Random(2021)


def length(points):
    total = decimal.Decimal(0)
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        dx, dy = decimal.Decimal(x1) - decimal.Decimal(x2), decimal.Decimal(y1) - decimal.Decimal(y2)
        total += (dx * dx + dy * dy).sqrt()
    return total


def write(name, points):
    base = pathlib.Path("data/secret") / name
    lines = [str(len(points))] + [f"{x} {y}" for x, y in points]
    base.with_suffix(".in").write_text("\n".join(lines) + "\n")
    base.with_suffix(".ans").write_text(f"{length(points):.12f}\n")


def milli(low, high):
    value = rng.randrange(low, high + 1)
    return f"{value // 1000}.{value % 1000:03d}"


write("01-one-post", [("3.5", "1000000")])
write("02-two-posts", [("0", "0"), ("1", "1")])
write("03-same-place", [("17.25", "4")] * 5)
write("04-tiny", [("0", "0"), ("0.001", "0"), ("0.001", "0.001"), ("0", "0.001")])
write("05-far-and-fine", [(milli(999_999_000, 10**9), milli(999_999_000, 10**9)) for _ in range(50)])
write("06-zigzag", [("0" if i % 2 else "1000000", "1000000" if i % 3 else "0") for i in range(1000)])
write("07-random", [(milli(0, 10**9), milli(0, 10**9)) for _ in range(1000)])
write("08-no-last-side", [("0", "0"), ("400.5", "0"), ("400.5", "0.125"), ("0", "0")])
