low, high = 1, 100
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    word = input()
    if word == "correct":
        raise SystemExit(0)
    if word == "lower":
        high = guess - 1
    else:
        low = guess + 1
