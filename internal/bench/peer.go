package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
)

// peers are what this program can be the other side of a pair as.
var peers = map[string]func(path string, source []byte) error{
	"parse":          parseOnly,
	"test":           testOne,
	"test-telemetry": testWithTelemetry,
}

// peer runs args, KIND WORKERS DIR, http PORT or program FILE, and returns the exit code.
func peer(args []string) int {
	if err := runPeer(args); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

func runPeer(args []string) error {
	if len(args) == 2 && args[0] == "http" {
		return serveBare(args[1])
	}
	if len(args) == 2 && args[0] == "program" {
		return program(args[1])
	}
	if len(args) != 3 || peers[args[0]] == nil {
		return fmt.Errorf("no such peer: %q", args)
	}
	workers, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(args[2], "*"+suffix))
	if err != nil {
		return err
	}
	return eachFile(paths, workers, peers[args[0]])
}

// eachFile does one piece of work on every file, on several goroutines.
func eachFile(paths []string, workers int, work func(path string, source []byte) error) error {
	var next atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, workers)
	for range workers {
		all.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(paths); i = next.Add(1) - 1 {
				source, err := os.ReadFile(paths[i])
				if err == nil {
					err = work(paths[i], source)
				}
				if err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(failed)
	return <-failed
}
