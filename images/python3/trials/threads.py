import threading

n = int(input())
sums = [0] * 4


def add(k):
    sums[k] = sum(range(k + 1, n + 1, 4))


threads = [threading.Thread(target=add, args=(k,)) for k in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sum(sums))
