package main

import "fmt"

func main() {
	var n int = "text" // MISTAKE
	fmt.Println(n)
}
