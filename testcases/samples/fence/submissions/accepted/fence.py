import math
import sys

numbers = list(map(float, sys.stdin.read().split()))[1:]
posts = list(zip(numbers[::2], numbers[1::2]))
print(math.fsum(math.hypot(a[0] - b[0], a[1] - b[1]) for a, b in zip(posts, posts[1:] + posts[:1])))
