raise ValueError("raised on purpose")
