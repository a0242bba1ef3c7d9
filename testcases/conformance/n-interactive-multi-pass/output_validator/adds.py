"""Twice: the submission gets what it said last time, and must add one. Interactive."""
import os
import sys

feedback = sys.argv[3]
start = int(open(sys.argv[1]).read())
print(start, flush=True)
try:
    got = int(sys.stdin.readline())
except ValueError:
    sys.exit(43)
if got != start + 1:
    sys.exit(43)
seen = feedback + "passes.txt"
n = int(open(seen).read()) if os.path.exists(seen) else 0
open(seen, "w").write(str(n + 1))
if n < 2:
    open(feedback + "nextpass.in", "w").write(f"{got}\n")
sys.exit(42)
