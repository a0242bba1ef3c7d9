import re
import sys

text = sys.stdin.read()
sys.exit(42 if re.fullmatch(r"[1-9][0-9]*\n", text) and int(text) <= 100 else 43)
