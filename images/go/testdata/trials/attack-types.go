package main

// A type twice as long at each step.
type P[A, B any] struct {
	a A
	b B
}

func f[T any](n int, x T) {
	if n > 0 {
		f(n-1, P[T, T]{x, x})
	}
}

func main() { f(40, 1) }
