// Draws a map of the meadow, 1 GiB of it, one strip after the other.
package main

import "fmt"

var strips [][]byte

func main() {
	for len(strips) < 256 {
		strip := make([]byte, 4<<20)
		for i := range strip {
			strip[i] = byte(i) | 1
		}
		strips = append(strips, strip)
	}
	fmt.Println(len(strips))
}
