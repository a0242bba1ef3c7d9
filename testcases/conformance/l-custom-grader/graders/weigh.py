"""So many points for each case that was accepted; one is enough to be accepted."""
import sys

worth = int(sys.argv[1])
accepted = [line for line in sys.stdin if line.split()[0] == "AC"]
print("AC" if accepted else "WA", worth * len(accepted))
