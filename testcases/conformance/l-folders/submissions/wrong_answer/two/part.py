def twice(n):
    return n
