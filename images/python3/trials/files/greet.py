def greeting():
    return "Hello, world!"
