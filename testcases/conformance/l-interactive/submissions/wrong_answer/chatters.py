print("x" * 100, flush=True)
