// Cannot stop: 16 MiB of postscripts.
package main

import (
	"bufio"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i := 0; i < 2<<20; i++ {
		out.WriteString("P.S. ok\n")
	}
}
