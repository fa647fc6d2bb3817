package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// begun measures how much later a program begins under exec than alone, and how
// much later exec is over than it, in wall time.
func begun(l *lab) (measured, error) {
	file, stamps, err := l.programFile()
	if err != nil {
		return measured{}, err
	}
	alone := []string{l.own, peerWord, "program", stamps}
	under := []string{l.scenario, "exec", "-q", file}
	var later, longer []float64
	for round := -1; round < 3*l.rounds; round++ {
		before, after, err := stamped(alone, stamps)
		if err != nil {
			return measured{}, err
		}
		b, a, err := stamped(under, stamps)
		if err != nil {
			return measured{}, err
		}
		if round >= 0 {
			later, longer = append(later, b-before), append(longer, a-after)
		}
	}
	return measured{Figures: []figure{
		valueOf("begins later", "ms", later, atMost(15)),
		valueOf("ends later", "ms", longer, atMost(100)),
	}}, nil
}

// programFile is the file of a program that asks once, and where that writes its stamps.
func (l *lab) programFile() (file, stamps string, err error) {
	dir, err := os.MkdirTemp(l.dir, "program")
	if err != nil {
		return "", "", err
	}
	file, stamps = filepath.Join(dir, "a.scenario.hcl"), filepath.Join(dir, "stamps")
	text := fmt.Sprintf(`provider "http" "api" {
  base_url = "http://api.example.com"
}

scenario "asks once" {
  sut {
    command = [%s, %s, "program", %s]
    env     = { %s = provider.api.url }
  }
  on "api" {
    reply {
      body = "hello"
    }
  }
  assert "asked once" {
    condition = length(endpoint.api.calls) == 1
  }
}
`, strconv.Quote(l.own), strconv.Quote(peerWord), strconv.Quote(stamps), programURL)
	return file, stamps, os.WriteFile(file, []byte(text), 0o666)
}

// changed writes a scenario of a program of the shell, which adds what is above a limit.
func (l *lab) changed() (file string, err error) {
	dir, err := os.MkdirTemp(l.dir, "changed")
	if err != nil {
		return "", err
	}
	program := `#!/bin/sh
total=0
for n in "$@"; do
  if [ "$n" -gt 2 ]; then
    total=$((total + n))
  fi
done
echo "$total"
`
	scenario := `scenario "adds what is above two" {
  sut { command = ["sh", "add.sh", "1", "2", "3", "4"] }
  assert "the sum" { condition = sut.stdout == "7\n" }
}
`
	file = filepath.Join(dir, "a.scenario.hcl")
	return file, errors.Join(os.WriteFile(filepath.Join(dir, "add.sh"), []byte(program), 0o666), os.WriteFile(file, []byte(scenario), 0o666))
}

// stampsTogether is how many runs are one sample of a comparison.
const stampsTogether = 10

// stampedOften is what [stamped] says of several runs, on average.
func stampedOften(args []string, stamps string) (before, after float64, err error) {
	for range stampsTogether {
		b, a, err := stamped(args, stamps)
		if err != nil {
			return 0, 0, err
		}
		before, after = before+b/stampsTogether, after+a/stampsTogether
	}
	return before, after, nil
}

// stamped runs a command in which the program writes its stamps, and returns what
// passed before it began and after it was about to end, in milliseconds.
func stamped(args []string, stamps string) (before, after float64, err error) {
	_ = os.Remove(stamps)
	from := time.Now().UnixNano()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	to := time.Now().UnixNano()
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w: %s", args[0], err, firstLines(string(out), 5))
	}
	text, err := os.ReadFile(stamps)
	if err != nil {
		return 0, 0, err
	}
	var began, ended int64
	if _, err := fmt.Sscan(string(text), &began, &ended); err != nil {
		return 0, 0, fmt.Errorf("the stamps are %q: %w", text, err)
	}
	return float64(began-from) / 1e6, float64(to-ended) / 1e6, nil
}
