import collections
import sys

sold = collections.Counter(sys.stdin.buffer.read().split()[1:])
most = max(sold.values())
print(min(int(stamp) for stamp, times in sold.items() if times == most))
