package main

import "fmt"

func depth(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + depth(n-1)
}

func main() {
	var n int
	fmt.Scan(&n)
	fmt.Println(depth(n))
}
