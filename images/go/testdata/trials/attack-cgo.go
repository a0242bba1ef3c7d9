package main

// #include </dev/random>
import "C"

func main() {
	C.abort()
}
