numbers = map(int, open("/dev/stdin").read().split())
n = next(numbers)
print("\n".join(str(next(numbers) + next(numbers)) for _ in range(n)))
