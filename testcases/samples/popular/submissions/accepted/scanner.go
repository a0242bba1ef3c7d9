package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<16), 1<<16)
	in.Split(bufio.ScanWords)
	in.Scan()
	var sold [100000]int
	best := 0
	for in.Scan() {
		stamp, err := strconv.Atoi(in.Text())
		if err != nil {
			panic(err)
		}
		sold[stamp]++
	}
	for stamp, times := range sold {
		if times > sold[best] {
			best = stamp
		}
	}
	fmt.Println(best)
}
