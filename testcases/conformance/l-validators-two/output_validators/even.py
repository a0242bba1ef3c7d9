import sys

sys.exit(42 if int(sys.stdin.read()) % 2 == 0 else 43)
