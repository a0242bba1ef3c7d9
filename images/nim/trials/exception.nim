raise newException(ValueError, "on purpose")
