// Refines its answer until two roundings agree, which they never do.
package main

import "fmt"

func main() {
	low, high := 0.0, 1.0
	for low != high {
		low, high = high, low
	}
	fmt.Println(low)
}
