//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this runs in a browser: make site builds it")
	os.Exit(2)
}
