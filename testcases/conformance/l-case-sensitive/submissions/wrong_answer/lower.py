print({7: "SEVEN", 0: "zero"}[int(input())])
