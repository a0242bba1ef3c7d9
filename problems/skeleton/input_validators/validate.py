# Ends with 42 where the input is as the statement promises (problem package format).
import re
import sys

lines = sys.stdin.read().split("\n")
number = r"(0|-?[1-9][0-9]{0,9})"
right = (
    len(lines) == 2
    and lines[1] == ""
    and re.fullmatch(f"{number} {number}", lines[0]) is not None
    and all(abs(int(n)) <= 10**9 for n in lines[0].split())
)
sys.exit(42 if right else 43)
