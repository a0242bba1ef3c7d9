"""Answers guesses at a number from 1 to 100: lower, higher, correct. At most ten."""
import sys

secret = int(open(sys.argv[1]).read())
feedback = sys.argv[3]

def end(code, word):
    open(feedback + "judgemessage.txt", "w").write(word + "\n")
    sys.exit(code)

for turn in range(10):
    line = sys.stdin.readline()
    try:
        guess = int(line)
    except ValueError:
        end(43, f"turn {turn + 1}: no integer")
    if guess == secret:
        print("correct", flush=True)
        end(42, f"found in {turn + 1} turns")
    print("lower" if secret < guess else "higher", flush=True)
end(43, "ten turns are over")
