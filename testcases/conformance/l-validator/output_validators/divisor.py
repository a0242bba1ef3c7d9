"""Accepts any divisor of the input other than one; rejects with a word to judges and team."""
import sys

n = int(open(sys.argv[1]).read())
feedback = sys.argv[3]
assert feedback.endswith("/")
try:
    d = int(sys.stdin.read())
except ValueError:
    open(feedback + "judgemessage.txt", "w").write("no integer\n")
    sys.exit(43)
if d < 2 or n % d:
    open(feedback + "judgemessage.txt", "w").write(f"{d} is no divisor of {n}\n")
    open(feedback + "teammessage.txt", "w").write("not a divisor\n")
    sys.exit(43)
sys.exit(42)
