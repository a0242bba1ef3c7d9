// Go's stacks grow by themselves.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	number := func() int {
		n := 0
		for {
			c, err := in.ReadByte()
			if err != nil || c < '0' {
				return n
			}
			n = n*10 + int(c-'0')
		}
	}
	n := number()
	children := make([][]int, n+1)
	for dragon := 2; dragon <= n; dragon++ {
		parent := number()
		children[parent] = append(children[parent], dragon)
	}
	var generations func(int) int
	generations = func(dragon int) int {
		below := 0
		for _, child := range children[dragon] {
			if g := generations(child); g > below {
				below = g
			}
		}
		return below + 1
	}
	fmt.Println(generations(1))
}
