import sys

word = sys.argv[4]
sys.exit(43 if word in open(sys.argv[2]).read() else 42)
