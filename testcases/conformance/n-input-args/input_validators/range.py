import sys

low, high = map(int, sys.argv[1:3])
sys.exit(42 if low <= int(sys.stdin.read()) <= high else 43)
