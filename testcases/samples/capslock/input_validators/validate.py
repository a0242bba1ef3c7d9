"""Accepts a letter of printable ASCII."""
import re
import sys

text = sys.stdin.buffer.read()
if not re.fullmatch(rb"([ -~]{0,100}\n){1,1000}", text):
    sys.exit("too long, or not printable ASCII")
sys.exit(42)
