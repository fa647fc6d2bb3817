package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"time"
)

// A work is one thing that can be repeated.
type work struct {
	name string
	// prepare makes what the work needs, which is not measured. What it returns
	// does the work once, and says how many repetitions of it that was.
	prepare func() (func() (n int, err error), error)
}

// works are all of them, the floors beside what is held against them.
func works() []work {
	var all []work
	for _, part := range [][]work{clocks(), actors(), transports(), replays(), recordings(), interceptions()} {
		all = append(all, part...)
	}
	return all
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "work:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 && len(args) != 3 {
		return errors.New("say which work, how many samples of it, and, if you like, a file for their profile")
	}
	samples, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	for _, w := range works() {
		if w.name == args[0] {
			return w.measure(samples, slices.Concat(args, []string{""})[2])
		}
	}
	return fmt.Errorf("there is no work %q", args[0])
}

// measure prints a line for each sample. The heap is collected before each, so
// that none pays for the one before it. What takes the processor's time is written to
// the file profile, unless that is "".
func (w work) measure(samples int, profile string) error {
	do, err := w.prepare()
	if err != nil {
		return err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	for i := -1; i < samples; i++ {
		runtime.GC()
		cpu, wall := processorTime(), time.Now()
		n, err := do()
		cpu, took := processorTime()-cpu, time.Since(wall)
		if err != nil {
			return err
		}
		if i >= 0 {
			fmt.Println(float64(cpu)/float64(n), float64(took)/float64(n))
		}
	}
	return nil
}
