//go:build unix

package process

import (
	"bytes"
	"context"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// inParallel calls f so often, four at a time, as a bench does.
func inParallel(n int, f func() error) error {
	var group sync.WaitGroup
	var mu sync.Mutex
	var first error
	for range 4 {
		group.Go(func() {
			for {
				mu.Lock()
				left := n > 0 && first == nil
				n--
				mu.Unlock()
				if !left {
					return
				}
				if err := f(); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	return first
}

// BenchmarkAgainstExec runs a program with input and output in turns of a
// hundred with Run and with os/exec alone: against-exec is what Run takes over
// what that does.
func BenchmarkAgainstExec(b *testing.B) {
	path, err := exec.LookPath("cat")
	if err != nil {
		b.Skip(err)
	}
	input := bytes.Repeat([]byte("x"), 1000)
	ours := func() error {
		_, err := Run(context.Background(), Command{Path: path, Args: []string{"cat"}, Stdin: bytes.NewReader(input)}, Limits{Stdout: 1 << 20, Stderr: 1 << 16})
		return err
	}
	bare := func() error {
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(path)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
		return cmd.Run()
	}
	var took [2]time.Duration
	for n := 0; n < b.N; n += 100 {
		for i, f := range []func() error{ours, bare} {
			began := time.Now()
			if err := inParallel(100, f); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(began)
		}
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "against-exec")
}
