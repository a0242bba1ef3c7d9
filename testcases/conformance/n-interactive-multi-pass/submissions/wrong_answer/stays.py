print(int(input()), flush=True)
