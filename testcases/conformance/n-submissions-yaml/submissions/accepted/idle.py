import time
n = int(input())
while time.process_time() < 0.3:
    pass
print(2 * n)
