package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// A goBench is a Go benchmark of a package, run from its own test binary. One of a command has
// the collector of the command in its environment.
type goBench struct {
	pkg, pattern, time string
	env                []string
}

// results are the values of benchmarks by name and unit, a value a round.
type results map[string]map[string][]float64

// run builds the package's tests and runs the benchmark once a round.
func (g goBench) run(l *lab) (results, string, error) {
	binary := filepath.Join(l.dir, strings.ReplaceAll(g.pkg, "/", "_")+".test")
	if err := l.build("test", "-c", "-o", binary, "./"+g.pkg); err != nil {
		return nil, "", err
	}
	args := []string{"-test.run=^$", "-test.bench=" + g.pattern, "-test.benchmem", "-test.benchtime=" + g.time, "-test.count=" + strconv.Itoa(l.rounds)}
	c := exec.Command(binary, args...)
	c.Dir, c.Env = filepath.Join(l.root, g.pkg), append(os.Environ(), g.env...)
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w\n%s", c, err, out)
	}
	found := parseBench(string(out))
	if len(found) == 0 {
		return nil, "", fmt.Errorf("%s matched no benchmark", c)
	}
	return found, fmt.Sprintf("go test -run '^$' -bench '%s' -benchmem -benchtime %s -count %d ./%s", g.pattern, g.time, l.rounds, g.pkg), nil
}

// parseBench reads the lines of benchmarks: name, count, then pairs of value
// and unit. Names lose "Benchmark" and the number of threads.
func parseBench(out string) results {
	found := results{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		if _, err := strconv.Atoi(f[1]); err != nil {
			continue
		}
		name := strings.TrimPrefix(f[0], "Benchmark")
		if dash := strings.LastIndexByte(name, '-'); dash > 0 {
			name = name[:dash]
		}
		if found[name] == nil {
			found[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				found[name][f[i+1]] = append(found[name][f[i+1]], v)
			}
		}
	}
	return found
}

// of is the interval of one value, scaled; it fails where it was not measured.
func (r results) of(name, unit string, scale float64) (paired.Interval, error) {
	values := r[name][unit]
	if len(values) == 0 {
		return paired.Interval{}, fmt.Errorf("no benchmark %s measured %s", name, unit)
	}
	return paired.Of(scaled(values, scale)), nil
}
