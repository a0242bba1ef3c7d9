package main

//go:generate sh -c "cat /proc/1/environ"
//go:cgo_import_dynamic _ _ "/box/w/evil.so"

func main() {}
