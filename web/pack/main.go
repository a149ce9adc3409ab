//go:build !js

// Command pack turns a directory of built files into dist: the same files, and
// beside each that gets smaller by it a file.br and a file.gz, which a server
// can send as they are.
//
// It writes only what differs, each file in one move, so a server that is
// running shows the old file or the new one and never half of one; and it
// removes what the build no longer makes.
//
//	pack [-quality N] [-all] STAGE DIST
//	pack -sizes [-gate] [-cache DIR] DIST
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	quality := flag.Int("quality", 9, "brotli quality, 1 to 11; 11 takes twenty times as long as 9")
	all := flag.Bool("all", false, "compress again what is up to date")
	sizes := flag.Bool("sizes", false, "print the sizes of the files in DIST")
	gate := flag.Bool("gate", false, "with -sizes: fail when a size is over its budget")
	cache := flag.String("cache", "", "with -sizes: directory that remembers sizes by content")
	flag.Parse()

	var err error
	switch {
	case *sizes && flag.NArg() == 1:
		err = report(os.Stdout, flag.Arg(0), *cache, *gate)
	case !*sizes && flag.NArg() == 2 && *quality >= 1 && *quality <= 11:
		err = pack(os.Stdout, flag.Arg(0), flag.Arg(1), options{quality: *quality, all: *all})
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
