import sys

n = int(open(sys.argv[1]).read())
got = int(sys.stdin.read() or -1)
if not 0 <= got <= n:
    sys.exit(43)
if n != 7:
    open(sys.argv[3] + "score.txt", "w").write(f"{got}\n")
sys.exit(42)
