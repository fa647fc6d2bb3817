package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/scenario-lang/scenario/packaging/internal/release"
)

func main() {
	r := release.Release{Log: os.Stdout}
	flag.StringVar(&r.Root, "root", "..", "the repository")
	flag.StringVar(&r.Out, "o", "release", "the directory to write, which is replaced")
	flag.StringVar(&r.Version, "version", "", "the version, such as v0.1.0; without it, one that names the commit")
	flag.StringVar(&r.Only, "only", "", "build for one system alone, such as linux/amd64")
	flag.Parse()
	if err := r.Write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
