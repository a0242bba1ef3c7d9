"""Accepts n and n stamps."""
import re
import sys

match = re.fullmatch(rb"([1-9][0-9]{0,5})\n([1-9][0-9]{0,4}(?: [1-9][0-9]{0,4})*)\n", sys.stdin.buffer.read())
if match is None:
    sys.exit("not a line with n and a line with stamps")
if not int(match[1]) == match[2].count(b" ") + 1 <= 400_000:
    sys.exit("wrong number of stamps")
sys.exit(42)
