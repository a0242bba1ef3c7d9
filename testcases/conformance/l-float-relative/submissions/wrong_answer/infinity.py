print("1e400")
