package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/peak"
)

// A command is a program to run as a child.
type command struct {
	args []string
	// code is the exit code that it must have.
	code int
	// repeat runs it several times for one sample, for what is too short to be
	// seen by the system's clock; 0 means once.
	repeat int
	// env is added to the environment.
	env []string
	// listen has the output read, and its first byte noted.
	listen bool
}

func (c command) String() string {
	text := strings.Join(slices.Concat(c.env, c.args), " ")
	if c.repeat > 1 {
		text = fmt.Sprintf("%d × %s", c.repeat, text)
	}
	return text
}

// A sample is what one run of a command took, in milliseconds and MB, and first when
// its output began, where somebody listened, and slow how long the slowest of a hundred
// answers took.
type sample struct{ cpu, wall, peak, first, slow float64 }

// collector is the command's own setting of the garbage collector, for another
// program that is to be compared with it. It is written out, as floors are parts of this
// program and must not link the command.
var collector = []string{"GOGC=800", "GOMEMLIMIT=120MiB"}

// run runs the command; the times are means over its repetitions.
func (c command) run() (sample, error) {
	var total sample
	n := max(1, c.repeat)
	for range n {
		child := exec.Command(c.args[0], c.args[1:]...)
		child.Env = append(os.Environ(), c.env...)
		var said strings.Builder
		child.Stderr = &said
		output := &firstByte{}
		if c.listen {
			child.Stdout = output
		}
		running, err := peak.Start(child)
		if err != nil {
			return sample{}, err
		}
		used, err := running.Wait()
		if err != nil {
			return sample{}, err
		}
		if used.Code != c.code {
			return sample{}, fmt.Errorf("%s ended with %d, not %d: %s", c, used.Code, c.code, firstLines(said.String(), 3))
		}
		total.cpu += millis(used.CPU)
		total.wall += millis(used.Wall)
		total.first += millis(output.after(running.Began))
		total.peak = max(total.peak, megabytes(used.Peak))
	}
	total.cpu /= float64(n)
	total.wall /= float64(n)
	total.first /= float64(n)
	return total, nil
}

// megabytes is a size in MB.
func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(s, "\n", n+1)
	return strings.TrimSpace(strings.Join(lines[:min(n, len(lines))], ""))
}

// series is one command's samples, a value a round.
type series struct{ cpu, wall, peak []float64 }

func (s *series) add(x sample) {
	s.cpu, s.wall, s.peak = append(s.cpu, x.cpu), append(s.wall, x.wall), append(s.peak, x.peak)
}

func (s *series) note(c command) string {
	return fmt.Sprintf("%s\n         CPU %s ms, wall %s ms, peak %.3g MB", c, spread(s.cpu), spread(s.wall), slices.Max(s.peak))
}

// alternate runs the commands one after the other, round by round, after one
// round that only warms up. Every round begins with another one, so that none is
// always the one behind a certain other.
func alternate(rounds int, commands ...command) ([]series, error) {
	all := make([]series, len(commands))
	for round := -1; round < rounds; round++ {
		for n := range commands {
			i := (n + round + 1) % len(commands)
			s, err := commands[i].run()
			if err != nil {
				return nil, err
			}
			if round >= 0 {
				all[i].add(s)
			}
		}
	}
	return all, nil
}
