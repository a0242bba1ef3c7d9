package checker_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"judge/judge/checker"
)

// BenchmarkChecker judges 16 MiB that match and prints, one JSON object a line,
// how many times as fast that is as the plain way in the same run: splitting
// both streams with bufio.Scanner and comparing the words.
func BenchmarkChecker(b *testing.B) {
	const size = 16 * mib
	integers := strings.Repeat("12 345 6789 10 111213\n", size/22)
	tests := []struct {
		name, flags    string
		output, answer string
		want           [2]float64 // of the ratio
	}{
		{"integers", "", integers, integers, [2]float64{2, 1000}},
		{"words", "", strings.Repeat("lorem ipsum dolor sit amet consectetur\n", size/39), strings.Repeat("lorem ipsum dolor sit amet consectetur\n", size/39), [2]float64{2, 1000}},
		{"one_token", "", strings.Repeat("x", size), strings.Repeat("x", size), [2]float64{2, 1000}},
		{"integers_with_tolerance", "float_tolerance 1e-6", integers, integers, [2]float64{2, 1000}},
		{"crlf", "", strings.ReplaceAll(integers, "\n", "\r\n"), integers, [2]float64{0.5, 1000}},
		{"other_case", "", strings.Repeat("YES NO MAYBE\n", size/13), strings.Repeat("Yes No Maybe\n", size/13), [2]float64{0.2, 1000}},
		{"floats_that_differ", "float_tolerance 1e-6", strings.Repeat("3.1415926535 ", size/13), strings.Repeat("3.1415926538 ", size/13), [2]float64{0.1, 1000}},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			opts, err := checker.ParseFlags(checker.SplitFlags(tt.flags))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(tt.output)))
			b.ReportAllocs()
			runs := 0
			start := time.Now()
			for b.Loop() {
				o, err := checker.Check(opts, strings.NewReader(tt.answer), strings.NewReader(tt.output))
				if err != nil || !o.Accepted {
					b.Fatalf("%+v, %v", o, err)
				}
				runs++
			}
			ours := time.Since(start) / time.Duration(runs)
			b.StopTimer()
			plain := scanTime(tt.output, tt.answer)
			ratio := float64(plain) / float64(ours)
			b.ReportMetric(ratio, "×scanner")
			line, err := json.Marshal(map[string]any{
				"bench": "checker", "case": tt.name, "ratio": ratio, "want": tt.want,
				"mb_per_s": megabytes(len(tt.output), ours), "scanner_mb_per_s": megabytes(len(tt.output), plain),
			})
			if err != nil {
				b.Fatal(err)
			}
			_, _ = os.Stdout.Write(append(line, '\n'))
		})
	}
}

func megabytes(n int, d time.Duration) float64 { return float64(n) / 1e6 / d.Seconds() }

// scanTime is how long the plain way takes, the best of three. It looks at all
// words, whether they are the same or not.
func scanTime(output, answer string) time.Duration {
	best := time.Duration(1<<63 - 1)
	for range 3 {
		start := time.Now()
		a, b := words(output), words(answer)
		same := 0
		for a.Scan() && b.Scan() {
			if bytes.Equal(a.Bytes(), b.Bytes()) {
				same++
			}
		}
		best = min(best, time.Since(start))
	}
	return best
}

func words(s string) *bufio.Scanner {
	sc := bufio.NewScanner(strings.NewReader(s))
	sc.Buffer(make([]byte, 64<<10), len(s)+1)
	sc.Split(bufio.ScanWords)
	return sc
}
