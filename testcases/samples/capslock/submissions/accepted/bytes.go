package main

import (
	"bytes"
	"io"
	"os"
	"unicode"
)

func main() {
	letter, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(bytes.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, letter))
}
