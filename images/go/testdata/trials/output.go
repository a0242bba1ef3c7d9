package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i := range 163840 {
		fmt.Fprintf(out, "%063d\n", i)
	}
}
