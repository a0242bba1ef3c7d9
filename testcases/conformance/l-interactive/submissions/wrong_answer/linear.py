for guess in range(1, 101):
    print(guess, flush=True)
    try:
        word = input()
    except EOFError:
        break
    if word == "correct":
        break
