import sys

sys.exit(42 if int(sys.stdin.read()) <= 2 * int(open(sys.argv[1]).read()) else 43)
