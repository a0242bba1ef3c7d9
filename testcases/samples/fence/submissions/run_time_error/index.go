// Reads the post after the last one: panic, exit code 2.
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
		wire += math.Hypot(x[i+1]-x[i], y[i+1]-y[i])
	}
	fmt.Println(wire)
}
