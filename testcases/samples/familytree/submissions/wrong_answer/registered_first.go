// Believes that parents are registered before their children.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var n, most int
	fmt.Fscan(in, &n)
	generation := make([]int, n+1)
	for dragon := 1; dragon <= n; dragon++ {
		parent := 0
		if dragon > 1 {
			fmt.Fscan(in, &parent)
		}
		generation[dragon] = generation[parent] + 1
		if generation[dragon] > most {
			most = generation[dragon]
		}
	}
	fmt.Println(most)
}
