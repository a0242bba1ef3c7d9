package main

import "fmt"

func main() {
	fmt.Println("Good bye!")
}
