"""Accepts n and n points within the bounds of the statement."""
import re
import sys

lines = sys.stdin.buffer.read().decode("ascii").split("\n")
if lines.pop() != "":
    sys.exit("no newline at the end")
if not lines or not re.fullmatch(r"[1-9][0-9]{0,3}", lines[0]):
    sys.exit("line 1: not a number of posts")
if not int(lines[0]) == len(lines) - 1 <= 1000:
    sys.exit("wrong number of posts")
for number, line in enumerate(lines[1:], 2):
    coordinate = r"(0|[1-9][0-9]{0,6})(\.[0-9]{1,3})?"
    if not re.fullmatch(coordinate + " " + coordinate, line):
        sys.exit(f"line {number}: not a position")
    if max(map(float, line.split())) > 10**6:
        sys.exit(f"line {number}: outside the meadow")
sys.exit(42)
