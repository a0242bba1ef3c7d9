"""Accepts one line with the number of cats."""
import re
import sys

text = sys.stdin.buffer.read()
if not re.fullmatch(rb"[1-9][0-9]{0,4}\n", text) or int(text) > 20_000:
    sys.exit("not a number of cats")
sys.exit(42)
