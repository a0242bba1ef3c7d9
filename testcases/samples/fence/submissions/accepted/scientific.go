// Prints in scientific notation, as in 1.2e+01: a number is a number.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		fmt.Fscan(in, &x[i], &y[i])
	}
	wire := 0.0
	for i := range x {
		next := (i + 1) % n
		wire += math.Hypot(x[next]-x[i], y[next]-y[i])
	}
	fmt.Printf("%.15e\n", wire)
}
