print({1: "Hello", 2: "a b", 3: "1.0 nan 0x1p3"}[int(input())])
