"""The score is the number that was printed, which must not be beyond the input."""
import sys

n = int(open(sys.argv[1]).read())
try:
    got = int(sys.stdin.read())
except ValueError:
    sys.exit(43)
if not 0 <= got <= n:
    sys.exit(43)
open(sys.argv[3] + "score.txt", "w").write(f"{got}\n")
sys.exit(42)
