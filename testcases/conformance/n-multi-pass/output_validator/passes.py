"""First pass: any word for the number. Second pass: the number of that word."""
import os
import sys

answer = open(sys.argv[2]).read().strip()
feedback = sys.argv[3]
state = feedback + "first.txt"
out = sys.stdin.read().split()
if not os.path.exists(state):
    if len(out) != 1 or not out[0].isalpha():
        open(feedback + "judgemessage.txt", "w").write("the first pass wants a word\n")
        sys.exit(43)
    open(state, "w").write(out[0])
    open(feedback + "nextpass.in", "w").write("decode " + out[0] + "\n")
    sys.exit(42)
sys.exit(42 if out == [answer] else 43)
