# The others that are still closed are never worse than the first choice: take as many of them as possible.
d, s, e = map(int, input().split())
others = d - s - e
taken = min(s, others)
print((taken * (d - s) / others + s - taken) / d)
