print("twice")
