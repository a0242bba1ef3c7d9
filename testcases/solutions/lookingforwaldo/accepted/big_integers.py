# The whole grid is one integer per letter, a bit per cell. For each height, shifting and or-ing tells for all cells at
# once whether the rectangle of a given width that begins there has the letter; only areas below the best are tried.
import sys


def spread(cells, count, shift):
    """Bit i of the result: one of the bits i, i + shift, ..., i + (count - 1) * shift of cells is set."""
    have = 1
    while have < count:
        more = min(have, count - have)
        cells |= cells >> more * shift
        have += more
    return cells


def main():
    h, w, *rows = sys.stdin.read().split()
    h, w = int(h), int(w)
    if h > w:
        rows = ["".join(column) for column in zip(*rows)]
        h, w = w, h
    text = "".join(rows)[::-1]  # the first cell is the lowest bit
    grids = [int("".join("01"[c == letter] for c in text), 2) for letter in "WALDO"]
    if not all(grids):
        return "impossible"

    def fits(bands, width):
        # Windows that begin here stay within their row.
        found = int(("0" * (width - 1) + "1" * (w - width + 1)) * h, 2)
        for band in bands:
            found &= spread(band, width, 1)
            if not found:
                return False
        return True

    best = h * w + 1
    bands = grids
    for height in range(1, h + 1):
        if height > 1:
            bands = [band | grid >> (height - 1) * w for band, grid in zip(bands, grids)]
        low, high = 0, min(w, (best - 1) // height)
        if high == 0:
            break
        if not fits(bands, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            if fits(bands, middle):
                high = middle
            else:
                low = middle
        best = height * high
    return best


print(main())
