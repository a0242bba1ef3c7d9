# Of several stamps it takes the one that was sold first.
import collections
import sys

print(int(collections.Counter(sys.stdin.buffer.read().split()[1:]).most_common(1)[0][0]))
