fatalError("on purpose")
