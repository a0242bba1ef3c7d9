"""Accepts one line with an integer from 0 to 1000000."""
import re
import sys

text = sys.stdin.read()
if re.fullmatch(r"(0|[1-9][0-9]*)\n", text) is None:
    sys.exit("line 1: not one integer on a line of its own")
if int(text) > 1000000:
    sys.exit("line 1: the integer is too large")
sys.exit(42)
