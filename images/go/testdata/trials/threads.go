package main

import "fmt"

func main() {
	var n int
	fmt.Scan(&n)
	sums := make(chan int)
	for k := 1; k <= 4; k++ {
		go func() {
			sum := 0
			for i := k; i <= n; i += 4 {
				sum += i
			}
			sums <- sum
		}()
	}
	fmt.Println(<-sums + <-sums + <-sums + <-sums)
}
