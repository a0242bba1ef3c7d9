package main

import _ "embed"

//go:embed /proc/1/environ
var secret string

func main() {
	print(secret)
}
