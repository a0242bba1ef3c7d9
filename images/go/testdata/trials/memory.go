package main

import "fmt"

func main() {
	var all [][]byte
	for range 4096 {
		chunk := make([]byte, 1<<20)
		for i := 0; i < len(chunk); i += 4096 {
			chunk[i] = 1
		}
		all = append(all, chunk)
	}
	fmt.Println("Hello, world!", len(all))
}
