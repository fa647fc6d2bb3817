package main

import (
	"os/exec"
	"slices"
)

// bars lists what is measured, by the ids of the performance goals.
func bars() []bar {
	return []bar{
		{"G1", "validate 1,000 files against parsing them", func(l *lab) (measured, error) {
			return l.againstParsing("validate", atMost(1.3), atMost(1.1), atMost(1))
		}},
		{"G2", "test 1,000 files against parsing them", func(l *lab) (measured, error) {
			return l.againstParsing("test", atMost(2), atMost(1.7), atMost(1.3))
		}},
		{"G3", "test 10,000 files against 1,000", growth},
		{"G4", "test 1,000 trivial scenarios in one file", trivial},
		{"G6", "start-up: version", func(l *lab) (measured, error) {
			return l.startUp(l.command("version"), atMost(5))
		}},
		{"G6", "start-up: test on an empty directory", emptyTest},
		{"G7", "virtual clock, events a second", virtualClock},
		{"G7", "a thousand actors with a hundred sessions each", goFigures(
			goBench{"interp/actor", "^BenchmarkThousandActors$", "1x"},
			goFigure{"ThousandActors", "events/s", 1e-3, figure{What: "events of the trace", Unit: "k/s", Goal: atLeast(200)}},
			goFigure{"ThousandActors", "B/event", 1, figure{What: "allocated for each", Unit: "B"}},
		)},
		{"G8", "embedded transport over a canned answer", goFigures(
			goBench{"wire", "^BenchmarkRoundTrip$", "20000x"},
			goFigure{"RoundTrip", "ns/op", 1e-3, figure{What: "time", Unit: "µs", First: atMost(6), Goal: atMost(3)}},
			goFigure{"RoundTrip", "allocs/op", 1, figure{What: "allocations", Goal: atMost(25)}},
		)},
		{"G9", "cassette replay of one request", goFigures(
			goBench{"cassette", "^BenchmarkReplay$", "20000x"},
			replayed("n=10/forward"), replayed("n=1000/random"), replayed("n=10000/forward"), replayed("n=10000/backward"), replayed("n=10000/random"),
		)},
		{"G10", "first byte of a stream through the recorder", goFigures(
			goBench{"cassette", "^BenchmarkFirstByte$", "2000x"},
			goFigure{"FirstByte", "µs-worst", 1e-3, figure{What: "worst", Unit: "ms", First: atMost(20), Goal: atMost(5)}},
		)},
		{"G10", "recording 1,000 events against reading them", goFigures(
			goBench{"cassette", "^BenchmarkRecord$", "200x"},
			goFigure{"Record", "CPU-streaming", 1, figure{What: "CPU while they stream", Unit: "×", Goal: atMost(1.5)}},
			goFigure{"Record", "ms-seal", 1, figure{What: "sealing", Unit: "ms"}},
		)},
		{"G10", "what a recording of 100,000 events holds", goFigures(
			goBench{"cassette", "^BenchmarkRecordChunks$", "5x"},
			goFigure{"RecordChunks", "held/body", 1, figure{What: "against their bytes", Unit: "×", Goal: atMost(2)}},
			goFigure{"RecordChunks", "MB-held", 1, figure{What: "memory", Unit: "MB"}},
		)},
		{"CG14", "cases a second of a system in process", goFigures(
			goBench{"interp/bench", "^BenchmarkMeasure$", "10000x"},
			goFigure{"Measure", "cases/s", 1e-3, figure{What: "cases", Unit: "k/s", Goal: atLeast(20)}},
		)},
		{"CG8", "programs of a bench against os/exec alone", goFigures(
			goBench{"internal/process", "^BenchmarkAgainstExec$", "400x"},
			goFigure{"AgainstExec", "against-exec", 1, figure{What: "wall", Unit: "×", Goal: atMost(1.2)}},
		)},
		{"G14", "telemetry on against off, reading and running", telemetryRatio},
	}
}

// againstParsing compares a command over the typical files, as it ships, with a
// loop that only parses them, as one writes it. Part of the difference is that
// the command sets the collector and the loop does not, so a second loop, with
// the command's setting, shows the work alone; no bar is about that one.
func (l *lab) againstParsing(name string, first, goal, wall *limit) (measured, error) {
	dir, err := l.typical(1000)
	if err != nil {
		return measured{}, err
	}
	commands := []command{l.command(name, dir), l.peer("parse", dir), l.tunedPeer("parse", dir)}
	all, err := alternate(l.rounds, commands...)
	if err != nil {
		return measured{}, err
	}
	m := measured{Figures: []figure{
		{What: "CPU", Unit: "×", Of: ratio(all[0].cpu, all[1].cpu), First: first, Goal: goal},
		{What: "wall", Unit: "×", Of: ratio(all[0].wall, all[1].wall), Goal: wall},
		{What: "CPU, one collector", Unit: "×", Of: ratio(all[0].cpu, all[2].cpu)},
	}}
	for i, c := range commands {
		m.Notes = append(m.Notes, all[i].note(c))
	}
	return m, nil
}

// pair compares two commands in CPU time and wall time.
func (l *lab) pair(a, b command, first, goal, wall *limit) (measured, error) {
	all, err := alternate(l.rounds, a, b)
	if err != nil {
		return measured{}, err
	}
	return measured{
		Figures: []figure{
			{What: "CPU", Unit: "×", Of: ratio(all[0].cpu, all[1].cpu), First: first, Goal: goal},
			{What: "wall", Unit: "×", Of: ratio(all[0].wall, all[1].wall), Goal: wall},
		},
		Notes: []string{all[0].note(a), all[1].note(b)},
	}, nil
}

// growth compares suites of two sizes. Linear is a factor of ten; a tenth more
// is noise.
func growth(l *lab) (measured, error) {
	small, err := l.typical(1000)
	if err != nil {
		return measured{}, err
	}
	large, err := l.typical(10_000)
	if err != nil {
		return measured{}, err
	}
	a, b := l.command("test", large), l.command("test", small)
	all, err := alternate(l.rounds, a, b)
	if err != nil {
		return measured{}, err
	}
	return measured{
		Figures: []figure{
			{What: "CPU", Unit: "×", Of: ratio(all[0].cpu, all[1].cpu), First: atMost(11), Goal: atMost(10.5)},
			{What: "peak", Unit: "MB", Of: spreadOf(all[0].peak), Goal: atMost(150)},
		},
		Notes: []string{all[0].note(a), all[1].note(b)},
	}, nil
}

// trivial has a peer only where opa is installed.
func trivial(l *lab) (measured, error) {
	dir, err := l.trivial(1000)
	if err != nil {
		return measured{}, err
	}
	a := l.command("test", dir)
	if opa, err := exec.LookPath("opa"); err == nil {
		b, err := l.opa(opa, 1000)
		if err != nil {
			return measured{}, err
		}
		return l.pair(a, b, nil, nil, atMost(0.8))
	}
	all, err := alternate(l.rounds, a)
	if err != nil {
		return measured{}, err
	}
	return measured{
		Figures: []figure{{What: "wall", Unit: "ms", Of: spreadOf(all[0].wall)}, {What: "CPU", Unit: "ms", Of: spreadOf(all[0].cpu)}},
		Notes:   []string{all[0].note(a), "opa is not on PATH, so there is no peer and no verdict"},
	}, nil
}

func emptyTest(l *lab) (measured, error) {
	dir, err := l.empty()
	if err != nil {
		return measured{}, err
	}
	c := l.command("test", dir)
	c.code = 5 // nothing was found
	return l.startUp(c, atMost(8))
}

// startUp measures a command that does next to nothing.
func (l *lab) startUp(c command, goal *limit) (measured, error) {
	c.repeat = 20
	all, err := alternate(l.rounds, c)
	if err != nil {
		return measured{}, err
	}
	return measured{
		Figures: []figure{{What: "wall", Unit: "ms", Of: spreadOf(all[0].wall), First: atMost(15), Goal: goal}},
		Notes:   []string{all[0].note(c)},
	}, nil
}

// A goFigure is a value of a Go benchmark, held against limits.
type goFigure struct {
	name, unit string
	scale      float64
	figure     figure
}

func replayed(name string) goFigure {
	return goFigure{"Replay/" + name, "ns/op", 1e-3, figure{What: name, Unit: "µs", First: atMost(10), Goal: atMost(5)}}
}

// goFigures measures values of one Go benchmark.
func goFigures(b goBench, wanted ...goFigure) func(*lab) (measured, error) {
	return func(l *lab) (measured, error) {
		found, line, err := b.run(l)
		m := measured{Notes: []string{line}}
		for _, w := range wanted {
			if err != nil {
				break
			}
			w.figure.Of, err = found.of(w.name, w.unit, w.scale)
			m.Figures = append(m.Figures, w.figure)
		}
		return m, err
	}
}

// virtualClock measures sleeps in turn, and a million that are pending at once.
func virtualClock(l *lab) (measured, error) {
	turns, err := goFigures(
		goBench{"interp/sched", "^BenchmarkSleep$", "1000000x"},
		goFigure{"Sleep/tasks=10", "Mevents/s", 1, figure{What: "10 tasks", Unit: "M/s", First: atLeast(3), Goal: atLeast(5)}},
		goFigure{"Sleep/tasks=1000", "Mevents/s", 1, figure{What: "1,000 tasks", Unit: "M/s", First: atLeast(3), Goal: atLeast(3)}},
	)(l)
	if err != nil {
		return measured{}, err
	}
	million, err := goFigures(
		goBench{"interp/sched", "^BenchmarkMillionSleeps$", "1x"},
		goFigure{"MillionSleeps", "ns/op", 1e-9, figure{What: "1 M pending", Unit: "s", Goal: atMost(1)}},
		goFigure{"MillionSleeps", "B/op", 1e-6, figure{What: "1 M pending", Unit: "MB", Goal: atMost(300)}},
	)(l)
	return measured{slices.Concat(turns.Figures, million.Figures), slices.Concat(turns.Notes, million.Notes)}, err
}

// telemetryRatio compares parsing, compiling and running files with doing so
// and exporting spans and metrics through the SDK to readers in memory.
func telemetryRatio(l *lab) (measured, error) {
	dir, err := l.typical(1000)
	if err != nil {
		return measured{}, err
	}
	return l.pair(l.tunedPeer("test-telemetry", dir), l.tunedPeer("test", dir), atMost(1.3), atMost(1.15), nil)
}
