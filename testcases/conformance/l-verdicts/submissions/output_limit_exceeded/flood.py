line = 'x' * 65535
while True:
    print(line)
