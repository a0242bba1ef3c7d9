throw new IllegalStateException("on purpose")
