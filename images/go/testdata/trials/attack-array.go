package main

var big = [1 << 34]byte{1 << 33: 1}

func main() {
	print(big[len(big)-1])
}
