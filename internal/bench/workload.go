package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/peak"
)

// samplesEach is how many samples a process takes of its work. The cheapest
// counts: what disturbs a sample only makes it dearer.
const samplesEach = 3

// A cost is what a repetition of a work took, in nanoseconds, and what its
// process held at most, in MB.
type cost struct{ cpu, wall, peak float64 }

// work has a program of package work do a work in a process of its own.
func work(program, name string) (cost, error) {
	c := exec.Command(program, name, strconv.Itoa(samplesEach))
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	used, err := peak.Run(c)
	if err != nil {
		return cost{}, fmt.Errorf("work %s: %w", name, err)
	}
	if used.Code != 0 {
		return cost{}, fmt.Errorf("work %s: exit code %d: %s", name, used.Code, firstLines(said.String(), 3))
	}
	least, err := leastCost(out.String())
	least.peak = megabytes(used.Peak)
	return least, err
}

// leastCost reads the lines of samples, and returns the least of either time.
func leastCost(out string) (least cost, err error) {
	lines := bufio.NewScanner(strings.NewReader(out))
	for n := 0; lines.Scan(); n++ {
		var c cost
		if _, err := fmt.Sscan(lines.Text(), &c.cpu, &c.wall); err != nil {
			return cost{}, fmt.Errorf("a sample is %q: %w", lines.Text(), err)
		}
		if n == 0 {
			least = c
		}
		least.cpu, least.wall = min(least.cpu, c.cpu), min(least.wall, c.wall)
	}
	if least.cpu == 0 {
		return cost{}, fmt.Errorf("no sample took any time")
	}
	return least, nil
}

// costs are those of rounds, a value each.
type costs struct{ cpu, wall, peak []float64 }

// againstFloor does a work and its floor in rounds that alternate.
func (l *lab) againstFloor(name, floor string) (own, least costs, err error) {
	for round := range l.rounds {
		for i := range 2 {
			to, of := &own, name
			if (i+round)%2 == 1 {
				to, of = &least, floor
			}
			c, err := work(l.work, of)
			if err != nil {
				return own, least, err
			}
			to.cpu, to.wall, to.peak = append(to.cpu, c.cpu), append(to.wall, c.wall), append(to.peak, c.peak)
		}
	}
	return own, least, nil
}

// overFloor measures a work in processor time: as a ratio to its floor, and by
// itself in microseconds.
func overFloor(name, floor string, ratio, micros *limit) func(*lab) (measured, error) {
	return func(l *lab) (measured, error) {
		own, least, err := l.againstFloor(name, floor)
		if err != nil {
			return measured{}, err
		}
		return measured{
			Figures: []figure{
				ratioOf("to its floor", own.cpu, least.cpu, ratio),
				valueOf("time", "µs", scaled(own.cpu, 1e-3), micros),
			},
			Notes: []string{"work " + name + ": CPU " + spread(own.cpu) + " ns", "work " + floor + ": CPU " + spread(least.cpu) + " ns"},
		}, nil
	}
}

func scaled(values []float64, by float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * by
	}
	return out
}

// millions turns what a repetition takes, in nanoseconds, into how many millions
// there are in a second.
func millions(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = 1e3 / v
	}
	return out
}
