//go:build docker

package docker_test

// foreignPrograms: many arm64 machines cannot run 32-bit code at all.
var foreignPrograms []foreignProgram
