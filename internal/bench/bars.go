package main

import (
	"os/exec"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// bars lists what is measured, by the ids of the performance goals.
func bars() []bar {
	return []bar{
		{"G1", "validate 1,000 files against parsing them", func(l *lab) (measured, error) {
			return l.againstParsing("validate", atMost(1.1), atMost(1), nil)
		}},
		{"G2", "test 1,000 files against parsing them", func(l *lab) (measured, error) {
			return l.againstParsing("test", atMost(1.35), atMost(1), atMost(2))
		}},
		{"G2", "test 1,000 files with one worker against two", twoCores},
		{"G3", "test 10,000 files against 1,000", growth},
		{"G4", "test 1,000 trivial scenarios in one file", trivial},
		{"G5", "test again what has not changed", again},
		{"G6", "version against its floor", func(l *lab) (measured, error) {
			return l.startUp(l.command("version"), atMost(1.5), atMost(5))
		}},
		{"G6", "test on an empty directory against the floor", emptyTest},
		{"G7", "virtual clock, 10 tasks", clock("clock/10", "pingpong/10")},
		{"G7", "virtual clock, 1,000 tasks", clock("clock/1000", "pingpong/1000")},
		{"G7", "a million pending events", pending},
		{"G7", "a thousand actors", sessions},
		{"G8", "a client over the transport of a scenario", transport},
		{"G9", "replay of 10 interactions, forwards", overFloor("replay/10-forward", "replay/10-forward/floor", atMost(7), atMost(5))},
		{"G9", "replay of 1,000, in any order", overFloor("replay/1000-random", "replay/1000-random/floor", atMost(7), atMost(5))},
		{"G9", "replay of 10,000, backwards", overFloor("replay/10000-backward", "replay/10000-backward/floor", atMost(7), atMost(5))},
		{"G9", "replay of 10,000, in any order", overFloor("replay/10000-random", "replay/10000-random/floor", atMost(7), atMost(5))},
		{"G10", "recording a stream of 1,000 events", overFloor("record", "record/copy", atMost(1.5), nil)},
		{"G10", "first byte of a stream through the recorder", goFigures(
			goBench{pkg: "cassette", pattern: "^BenchmarkFirstByte$", time: "2000x"},
			goFigure{"FirstByte", "µs-worst", 1e-3, figure{What: "worst", Unit: "ms", Goal: atMost(5)}},
		)},
		{"G10", "what a recording of 100,000 events holds", goFigures(
			goBench{pkg: "cassette", pattern: "^BenchmarkRecordChunks$", time: "5x"},
			goFigure{"RecordChunks", "held/body", 1, figure{What: "to their bytes", Unit: "×", Goal: atMost(2)}},
		)},
		{"G11", "serve against bare net/http", bareRate},
		{"G12", "serve from start to first answer", bareStart},
		{"G13", "an intercepted request, new host", overFloor("intercept/new", "intercept/new/floor", atMost(1.5), atMost(1500))},
		{"G13", "an intercepted request, same host", overFloor("intercept/same", "intercept/same/floor", atMost(1.3), atMost(1000))},
		{"G14", "telemetry on against off, reading and running", telemetryRatio},
		{"G15", "test with std/resilience against without", resilience},
		{"G16", "a program under exec against alone", begun},
		{"G17", "a key in a file of 5,000 lines, to its diagnostics", goFigures(
			goBench{pkg: "internal/lsp", pattern: "^BenchmarkKeystroke$", time: "20x", env: collector},
			goFigure{"Keystroke", "ns/op", 1e-6, figure{What: "wall", Unit: "ms", Goal: atMost(50)}},
		)},
		{"G17", "completion there, while the file is checked", goFigures(
			goBench{pkg: "internal/lsp", pattern: "^BenchmarkCompletion$", time: "50x", env: collector},
			goFigure{"Completion", "ns/op", 1e-6, figure{What: "wall", Unit: "ms", Goal: atMost(20)}},
		)},
		{"CG14", "cases a second of a system in process", goFigures(
			goBench{pkg: "interp/bench", pattern: "^BenchmarkMeasure$", time: "10000x"},
			goFigure{"Measure", "cases/s", 1e-3, figure{What: "cases", Unit: "k/s", Goal: atLeast(20)}},
		)},
		{"CG8", "programs of a bench against os/exec alone", goFigures(
			goBench{pkg: "internal/process", pattern: "^BenchmarkAgainstExec$", time: "200x"},
			goFigure{"AgainstExec", "against-exec", 1, figure{What: "wall", Unit: "×", Goal: atMost(1.2)}},
		)},
	}
}

// againstParsing compares a command over the typical files, as it ships, with a
// loop that only parses them, as one writes it. Part of the difference is that
// the command sets the collector and the loop does not, so a second loop, with
// the command's setting, shows the work alone.
func (l *lab) againstParsing(name string, cpu, wall, alone *limit) (measured, error) {
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
		ratioOf("CPU", all[0].cpu, all[1].cpu, cpu),
		ratioOf("wall", all[0].wall, all[1].wall, wall),
		ratioOf("CPU, one collector", all[0].cpu, all[2].cpu, alone),
		valueOf("CPU of a file", "ms", scaled(all[0].cpu, 1e-3), nil),
	}}
	for i, c := range commands {
		m.Notes = append(m.Notes, all[i].note(c))
	}
	return m, nil
}

// pair compares two commands in CPU time.
func (l *lab) pair(rounds int, a, b command, goal *limit) (measured, [2]series, error) {
	all, err := alternate(rounds, a, b)
	if err != nil {
		return measured{}, [2]series{}, err
	}
	return measured{
		Figures: []figure{ratioOf("CPU", all[0].cpu, all[1].cpu, goal)},
		Notes:   []string{all[0].note(a), all[1].note(b)},
	}, [2]series(all), nil
}

// twoCores compares one worker with two, in wall time: the one figure that needs
// a machine which does nothing else.
func twoCores(l *lab) (measured, error) {
	dir, err := l.typical(1000)
	if err != nil {
		return measured{}, err
	}
	m, all, err := l.pair(l.rounds, l.command("test", "--parallel", "1", dir), l.command("test", "--parallel", "2", dir), nil)
	if err == nil {
		m.Figures = []figure{ratioOf("speed-up", all[0].wall, all[1].wall, atLeast(1.8))}
	}
	return m, err
}

// growth compares suites of two sizes. Linear is a factor of ten; a twentieth
// more is noise.
func growth(l *lab) (measured, error) {
	small, err := l.typical(1000)
	if err != nil {
		return measured{}, err
	}
	large, err := l.typical(10_000)
	if err != nil {
		return measured{}, err
	}
	m, all, err := l.pair(min(l.rounds, 3), l.command("test", large), l.command("test", small), atMost(10.5))
	if err == nil {
		m.Figures = append(m.Figures, valueOf("peak", "MB", all[0].peak, atMost(150)))
	}
	return m, err
}

// trivial has a peer only where opa is installed. Parsing the file is what is
// there always.
func trivial(l *lab) (measured, error) {
	dir, err := l.trivial(1000)
	if err != nil {
		return measured{}, err
	}
	ours := l.command("test", dir)
	m, _, err := l.pair(l.rounds, ours, l.tunedPeer("parse", dir), nil)
	if err != nil {
		return m, err
	}
	m.Figures[0].What = "CPU to parsing it"
	opa, missing := exec.LookPath("opa")
	if missing != nil {
		m.Notes = append(m.Notes, "opa is not on PATH, so it is not compared")
		return m, nil
	}
	peer, err := l.opa(opa, 1000)
	if err != nil {
		return m, err
	}
	other, all, err := l.pair(l.rounds, ours, peer, nil)
	if err == nil {
		m.Figures = append(m.Figures, ratioOf("wall to opa", all[0].wall, all[1].wall, atMost(0.8)))
		m.Notes = append(m.Notes, other.Notes...)
	}
	return m, err
}

// again compares a run whose results are all kept with one that keeps none.
func again(l *lab) (measured, error) {
	dir, err := l.typical(1000)
	if err != nil {
		return measured{}, err
	}
	kept := l.command("test", "--cache-dir", l.dir+"/cache", dir)
	kept.env = []string{"SCENARIO_NO_CACHE=false"}
	m, _, err := l.pair(l.rounds, kept, l.command("test", dir), atMost(0.25))
	return m, err
}

// resilience compares files that import the pack with those that do not.
func resilience(l *lab) (measured, error) {
	without, err := l.typical(200)
	if err != nil {
		return measured{}, err
	}
	with, err := l.importing(200, "std/resilience")
	if err != nil {
		return measured{}, err
	}
	m, _, err := l.pair(l.rounds, l.command("test", with), l.command("test", without), atMost(1.5))
	return m, err
}

func emptyTest(l *lab) (measured, error) {
	dir, err := l.empty()
	if err != nil {
		return measured{}, err
	}
	c := l.command("test", dir)
	c.code = 5 // nothing was found
	return l.startUp(c, atMost(2), atMost(8))
}

// startUp compares a command that does next to nothing with the floor.
func (l *lab) startUp(c command, ratio, millis *limit) (measured, error) {
	floor, err := l.floor()
	if err != nil {
		return measured{}, err
	}
	c.repeat, floor.repeat = 10, 10
	m, all, err := l.pair(2*l.rounds, c, floor, ratio)
	if err == nil {
		m.Figures = append(m.Figures, valueOf("wall", "ms", all[0].wall, millis))
	}
	return m, err
}

// clock compares sleeps in turn with bare switches, as rates: 1 would be a clock
// that costs nothing.
func clock(name, floor string) func(*lab) (measured, error) {
	return func(l *lab) (measured, error) {
		own, least, err := l.againstFloor(name, floor)
		if err != nil {
			return measured{}, err
		}
		return measured{
			Figures: []figure{
				ratioOf("of bare iter.Pull", least.cpu, own.cpu, atLeast(0.8)),
				valueOf("events", "M/s", millions(own.cpu), nil),
			},
			Notes: []string{"work " + name + ": CPU " + spread(own.cpu) + " ns", "work " + floor + ": CPU " + spread(least.cpu) + " ns"},
		}, nil
	}
}

// pending measures events without tasks, which all wait at once.
func pending(l *lab) (measured, error) {
	own, least, err := l.againstFloor("pending", "pingpong/1000")
	return measured{
		Figures: []figure{
			valueOf("peak", "MB", own.peak, atMost(250)),
			ratioOf("an event to a bare switch", own.cpu, least.cpu, nil),
			valueOf("all of them", "s", scaled(own.cpu, 1e-3), atMost(1)),
		},
		Notes: []string{"work pending: CPU " + spread(own.cpu) + " ns"},
	}, err
}

// sessions measures what actors write into the trace.
func sessions(l *lab) (measured, error) {
	own, least, err := l.againstFloor("actors", "actors/floor")
	return measured{
		Figures: []figure{
			valueOf("trace events", "M/s", millions(own.cpu), atLeast(0.5)),
			ratioOf("an event to a switch and an entry of a log", own.cpu, least.cpu, nil),
		},
		Notes: []string{"work actors: CPU " + spread(own.cpu) + " ns", "work actors/floor: CPU " + spread(least.cpu) + " ns"},
	}, err
}

// transport measures what the transport of a scenario adds to a client whose
// answer is ready.
func transport(l *lab) (measured, error) {
	own, canned, err := l.againstFloor("transport", "transport/canned")
	if err != nil {
		return measured{}, err
	}
	added := make([]float64, len(own.cpu))
	for i := range added {
		added[i] = (own.cpu[i] - canned.cpu[i]) / 1e3
	}
	return measured{
		Figures: []figure{
			ratioOf("to a canned answer", own.cpu, canned.cpu, atMost(1.5)),
			{What: "over it", Unit: "µs", Of: paired.Of(added), Goal: atMost(3)},
		},
		Notes: []string{"work transport: CPU " + spread(own.cpu) + " ns", "work transport/canned: CPU " + spread(canned.cpu) + " ns"},
	}, nil
}

// telemetryRatio compares parsing, compiling and running files with doing so
// and exporting spans and metrics through the SDK to readers in memory.
func telemetryRatio(l *lab) (measured, error) {
	dir, err := l.typical(1000)
	if err != nil {
		return measured{}, err
	}
	m, _, err := l.pair(l.rounds, l.tunedPeer("test-telemetry", dir), l.tunedPeer("test", dir), atMost(1.15))
	return m, err
}

// A goFigure is a value of a Go benchmark, held against a limit.
type goFigure struct {
	name, unit string
	scale      float64
	figure     figure
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
