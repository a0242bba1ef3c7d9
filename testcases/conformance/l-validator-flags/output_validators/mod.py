import sys

flags = sys.argv[4:]
assert flags[:1] == ["base"], flags
m = int(flags[1]) if len(flags) > 1 else 1000000007
want = int(open(sys.argv[2]).read())
sys.exit(42 if (int(sys.stdin.read()) - want) % m == 0 else 43)
