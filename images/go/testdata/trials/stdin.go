package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	data, err := os.ReadFile("/dev/stdin")
	if err != nil {
		panic(err)
	}
	in, out := strings.NewReader(string(data)), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var n, a, b int
	for fmt.Fscan(in, &n); n > 0; n-- {
		fmt.Fscan(in, &a, &b)
		fmt.Fprintln(out, a+b)
	}
}
