//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "wasm/search runs in a browser: ./build.sh serve builds it and shows it")
	os.Exit(2)
}
