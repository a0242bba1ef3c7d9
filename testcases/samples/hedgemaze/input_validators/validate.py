"""Accepts a garden with one professor and one tea."""
import re
import sys

lines = sys.stdin.buffer.read().decode("ascii").split("\n")
if lines.pop() != "":
    sys.exit("no newline at the end")
if not lines or not re.fullmatch(r"[1-9][0-9]{0,2} [1-9][0-9]{0,2}", lines[0]):
    sys.exit("line 1: not a size")
height, width = map(int, lines[0].split())
if max(height, width) > 100 or height * width < 2 or len(lines) != height + 1:
    sys.exit("wrong size")
for number, line in enumerate(lines[1:], 2):
    if len(line) != width or not re.fullmatch(r"[#.PT]+", line):
        sys.exit(f"line {number}: not a row of the garden")
garden = "".join(lines[1:])
if garden.count("P") != 1 or garden.count("T") != 1:
    sys.exit("not one professor and one tea")
sys.exit(42)
