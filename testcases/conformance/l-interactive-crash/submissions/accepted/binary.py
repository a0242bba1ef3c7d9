low, high = 1, 100
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    word = input()
    if word == "correct":
        break
    if word == "lower":
        high = guess - 1
    else:
        low = guess + 1
