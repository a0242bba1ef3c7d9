package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Print("ñandú: ", line)
}
