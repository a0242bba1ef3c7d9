module judge/testcases

go 1.25
