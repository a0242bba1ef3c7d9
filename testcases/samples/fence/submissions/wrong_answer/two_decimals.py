# Rounds to centimetres, which is more than the tolerance.
import math
import sys

numbers = list(map(float, sys.stdin.read().split()))[1:]
posts = list(zip(numbers[::2], numbers[1::2]))
print("%.2f" % sum(math.dist(a, b) for a, b in zip(posts, posts[1:] + posts[:1])))
