import sys
sys.stdout.reconfigure(encoding="utf-8")
print({1: "Hello World", 2: "a b C", 3: "\u0661.0 nan 0x1p3"}[int(input())])
