# The usual way to recurse deeply in Python: a higher limit, and a thread with a large stack.
import sys
import threading


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    parent = [0, 0] + numbers[1:]
    generations = [0] * len(parent)
    generations[1] = 1

    def generation(dragon):
        if not generations[dragon]:
            generations[dragon] = generation(parent[dragon]) + 1
        return generations[dragon]

    for dragon in range(1, len(parent)):
        generation(dragon)
    print(max(generations))


sys.setrecursionlimit(1 << 20)
threading.stack_size(128 << 20)
deep = threading.Thread(target=main)
deep.start()
deep.join()
