import sys

want = int(open(sys.argv[2]).read())
got = int(sys.stdin.read() or -1)
if got != want:
    open(sys.argv[3] + "judgemessage.txt", "w").write(f"off by {got - want}\n")
sys.exit(42 if got == want else 43)
