package main

func greeting() string { return "Hello, world!" }
