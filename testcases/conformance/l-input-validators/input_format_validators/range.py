"""The flag is the greatest value."""
import sys

sys.exit(42 if int(sys.stdin.read()) <= int(sys.argv[1]) else 43)
