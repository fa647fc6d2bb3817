package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/scenario-lang/scenario/site/internal/build"
)

func main() {
	out := flag.String("o", "public", "the directory to write, which is replaced")
	root := flag.String("root", "..", "the repository")
	engine := flag.Bool("engine", true, "build the engine of the playground, which takes a minute")
	flag.Parse()
	s := &build.Site{Root: *root, Out: *out, Engine: *engine, Log: os.Stdout}
	if err := s.Write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
