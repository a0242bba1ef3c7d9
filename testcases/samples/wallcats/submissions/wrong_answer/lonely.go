// Believes that one cat cannot sit in a row.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	var n int
	fmt.Scan(&n)
	if n < 4 {
		fmt.Println("impossible")
		return
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for cat := 2; cat <= n; cat += 2 {
		fmt.Fprintln(out, cat)
	}
	for cat := 1; cat <= n; cat += 2 {
		fmt.Fprintln(out, cat)
	}
}
