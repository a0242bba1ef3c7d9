// Go refuses a variable that nobody uses.
package main

import "fmt"

func main() {
	var a, b, c int64
	fmt.Scan(&a, &b)
	fmt.Println(a + b)
}
