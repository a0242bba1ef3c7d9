// Takes the marks left of the gate for marks on its right when both are.
package main

import "fmt"

func main() {
	var a, b int64
	fmt.Scan(&a, &b)
	if a < 0 && b < 0 {
		a, b = -a, -b
	}
	fmt.Println(a + b)
}
