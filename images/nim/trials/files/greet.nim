proc greeting*(): string = "Hello, world!"
