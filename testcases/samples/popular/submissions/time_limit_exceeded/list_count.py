# Each call of count reads the whole list.
import sys

stamps = list(map(int, sys.stdin.buffer.read().split()[1:]))
print(min((-stamps.count(stamp), stamp) for stamp in stamps)[1])
