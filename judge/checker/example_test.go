package checker_test

import (
	"fmt"
	"io"
	"strings"

	"judge/judge/checker"
)

// The output is judged while a program prints it.
func ExampleChecker() {
	opts, err := checker.ParseFlags([]string{"float_tolerance", "1e-6"})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := checker.New(opts, strings.NewReader("Case 1: 0.333333333\nCase 2: 2\n"))
	for _, piece := range []string{"case 1: 0.33", "33333\nca", "se 2: 2.0", "1\n"} {
		if _, err := io.WriteString(c, piece); err != nil {
			fmt.Println(err)
			return
		}
	}
	o, err := c.Close()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(o.ExitCode(), o.Message)
	// Output: 43 line 2, column 9 (byte 26, token 6; line 2 of the answer): got "2.01", expected "2" within 1e-6 (absolute) or 1e-6 (relative)
}
