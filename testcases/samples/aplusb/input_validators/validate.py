"""Accepts one line with two integers of at most 10^18 in absolute value."""
import re
import sys

text = sys.stdin.buffer.read()
number = rb"(0|-?[1-9][0-9]{0,18})"
match = re.fullmatch(number + b" " + number + b"\n", text)
if match is None:
    sys.exit("not two integers on one line")
if any(abs(int(value)) > 10**18 for value in match.groups()):
    sys.exit("a number is out of range")
sys.exit(42)
