package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var n, a, b int
	for fmt.Fscan(in, &n); n > 0; n-- {
		fmt.Fscan(in, &a, &b)
		fmt.Fprintln(out, a+b)
	}
}
