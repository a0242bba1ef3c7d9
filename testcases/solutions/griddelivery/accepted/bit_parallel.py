# The largest set of customers of which no two lie on one way (Dilworth) is a longest chain that runs strictly down and
# strictly to the left. Row by row its length from each column on grows by 0 or 1 per column, as in the longest common
# subsequence; so a row is one integer, and one addition carries through all its columns (Hyyrö 2004). A set bit says
# that the length does not grow at this column; the lowest bit is the last column.
import sys

_, w, *rows = sys.stdin.buffer.read().split()
w = int(w)
full = (1 << w) - 1
flat = full
zero_one = bytes.maketrans(b"_C", b"01")
for row in rows:
    customers = int(row.translate(zero_one), 2)
    hits = flat & customers
    flat = (flat + hits | flat & ~customers) & full
print(w - bin(flat).count("1"))
