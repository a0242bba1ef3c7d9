print({7: "SEVEN", 0: "Zero"}[int(input())])
