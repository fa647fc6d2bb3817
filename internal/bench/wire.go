package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// wireBars lists what is measured over sockets, and of the transport in process.
func wireBars() []bar {
	return []bar{
		{"G8", "a wire script as an answer, in process", func(l *lab) (measured, error) { return barOf("embedded transport over a canned answer").Measure(l) }},
		{"G8", "the transport of a scenario", goFigures(
			goBench{".", "^BenchmarkTransport$", "10000x"},
			goFigure{"Transport/scenario", "ns/op", 1e-3, figure{What: "time", Unit: "µs", First: atMost(6), Goal: atMost(3)}},
			goFigure{"Transport/scenario", "allocs/op", 1, figure{What: "allocations", Goal: atMost(25)}},
			goFigure{"Transport/each", "us-p99", 1, figure{What: "p99", Unit: "µs"}},
			goFigure{"Transport/canned", "ns/op", 1e-3, figure{What: "a canned answer", Unit: "µs"}},
		)},
		{"G11", "answers a second, eight clients", rates},
		{"G11", "answers a second beside 10,000 idle connections", withIdleClients},
		{"G12", "from start to first answer", starts},
		{"G13", "an intercepted request over TLS", goFigures(
			goBench{"internal/server", "^BenchmarkIntercept$", "300x"},
			goFigure{"Intercept/new", "ns/op", 1e-6, figure{What: "new host", Unit: "ms", First: atMost(3), Goal: atMost(1.5)}},
			goFigure{"Intercept/new", "ms-p99", 1, figure{What: "new host, p99", Unit: "ms"}},
			goFigure{"Intercept/same", "ns/op", 1e-6, figure{What: "same host", Unit: "ms", First: atMost(3), Goal: atMost(1)}},
			goFigure{"Intercept/same", "ms-p99", 1, figure{What: "same host, p99", Unit: "ms"}},
		)},
	}
}

// barOf is a bar of the other list.
func barOf(what string) bar {
	for _, b := range bars() {
		if b.What == what {
			return b
		}
	}
	panic("no bar is about " + what)
}

// The clients of a server under load, and how long they ask in a round.
const (
	loadClients = 8
	loadFor     = 2 * time.Second
)

// compared are the servers that can be had, and a note on each that cannot.
func (l *lab) compared() (list []mock, notes []string) {
	npm, why := l.install()
	for _, m := range l.mocks(npm) {
		if m.missing != nil {
			missing := m.missing()
			if missing != "" && why != "" {
				missing = why
			}
			if missing != "" {
				notes = append(notes, m.name+" is left out: "+missing)
				continue
			}
		}
		list = append(list, m)
	}
	return list, notes
}

// rates compares what servers answer in a second, in rounds that alternate. All of
// them run all the while, and rest but for one.
func rates(l *lab) (measured, error) {
	list, notes := l.compared()
	m := measured{Notes: notes}
	servers := make([]*running, len(list))
	rate, p99 := make([][]float64, len(list)), make([][]float64, len(list))
	answers := make([]float64, len(list))
	defer func() {
		for _, s := range servers {
			if s != nil {
				s.stop()
			}
		}
	}()
	for i, mock := range list {
		dir, err := os.MkdirTemp(l.dir, "server")
		if err != nil {
			return m, err
		}
		if servers[i], err = mock.start(dir); err != nil {
			return m, err
		}
		// The first seconds of a virtual machine are not its own.
		warm, err := under(servers[i].address, loadClients, loadFor)
		if err != nil {
			return m, fmt.Errorf("%s: %w", mock.name, err)
		}
		answers[i] = warm.answers
	}
	for range l.rounds {
		for i, s := range servers {
			got, err := under(s.address, loadClients, loadFor)
			if err != nil {
				return m, fmt.Errorf("%s: %w", list[i].name, err)
			}
			rate[i], p99[i] = append(rate[i], got.rate), append(p99[i], got.p99)
			answers[i] += got.answers
		}
	}
	for i, mock := range list {
		peak := servers[i].stop()
		m.Notes = append(m.Notes, fmt.Sprintf("%s: %s k answers a second, p99 %s ms, %.3g µs of CPU for each, peak %.3g MB",
			mock.name, thousands(rate[i]), spreadOf(p99[i]), servers[i].cpu()*1000/answers[i], peak))
		servers[i] = nil
		switch {
		case i == 1:
			m.Figures = append(m.Figures,
				figure{What: "over bare net/http", Unit: "×", Of: ratio(rate[1], rate[0]), First: atLeast(0.6), Goal: atLeast(0.75)},
				figure{What: "p99", Unit: "ms", Of: spreadOf(p99[1])},
				figure{What: "peak", Unit: "MB", Of: spread{peak, peak, peak}, Goal: atMost(40)})
		case i > 1:
			f := figure{What: "over " + mock.name, Unit: "×", Of: ratio(rate[1], rate[i])}
			if mock.name == "aimock" {
				f.First, f.Goal = atLeast(4), atLeast(5)
			}
			m.Figures = append(m.Figures, f)
		}
	}
	return m, nil
}

// withIdleClients compares the rate of a server that has clients which say nothing with
// that of one that has none.
func withIdleClients(l *lab) (measured, error) {
	const idle = 10_000
	ours := l.mocks("")[1]
	var servers [2]*running
	var rate [2][]float64
	for i := range servers {
		dir, err := os.MkdirTemp(l.dir, "server")
		if err != nil {
			return measured{}, err
		}
		if servers[i], err = ours.start(dir); err != nil {
			return measured{}, err
		}
		defer servers[i].stop()
		if _, err := under(servers[i].address, loadClients, loadFor); err != nil {
			return measured{}, err
		}
	}
	for range idle {
		c, err := net.Dial("tcp", servers[0].address)
		if err != nil {
			return measured{}, err
		}
		defer c.Close()
	}
	for range l.rounds {
		for i, s := range servers {
			got, err := under(s.address, loadClients, loadFor)
			if err != nil {
				return measured{}, err
			}
			rate[i] = append(rate[i], got.rate)
		}
	}
	return measured{Figures: []figure{{What: "over none", Unit: "×", Of: ratio(rate[0], rate[1]), Goal: atLeast(0.9)}}}, nil
}

func thousands(rates []float64) spread {
	s := spreadOf(rates)
	return spread{s.min / 1000, s.median / 1000, s.max / 1000}
}

// starts compares how long servers take from their start to their first answer.
func starts(l *lab) (measured, error) {
	list, notes := l.compared()
	m := measured{Notes: notes}
	first := make([][]float64, len(list))
	for round := -1; round < l.rounds; round++ {
		for i, mock := range list {
			dir := filepath.Join(l.dir, fmt.Sprintf("start%d.%d", round, i))
			if err := os.Mkdir(dir, 0o777); err != nil {
				return m, err
			}
			s, err := mock.start(dir)
			if err != nil {
				return m, err
			}
			s.stop()
			if round >= 0 {
				first[i] = append(first[i], millis(s.first))
			}
		}
	}
	for i, mock := range list {
		f := figure{What: mock.name, Unit: "ms", Of: spreadOf(first[i])}
		if i == 1 {
			f.First, f.Goal = atMost(50), atMost(15)
		}
		m.Figures = append(m.Figures, f)
	}
	return m, nil
}
