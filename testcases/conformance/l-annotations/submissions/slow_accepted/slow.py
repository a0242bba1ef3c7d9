import time
n = int(input())
while time.process_time() < 0.1:
    pass
print(2 * n)
