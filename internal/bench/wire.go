package main

import (
	"fmt"
	"net"
	"os"
	"time"
)

// wireBars lists what is measured over sockets, and of the transport in process.
func wireBars() []bar {
	return []bar{
		{"G8", "a wire script as an answer, in process", goFigures(
			goBench{pkg: "wire", pattern: "^BenchmarkRoundTrip$", time: "20000x"},
			goFigure{"RoundTrip", "ns/op", 1e-3, figure{What: "time", Unit: "µs", Goal: atMost(3)}},
			goFigure{"RoundTrip", "allocs/op", 1, figure{What: "allocations", Goal: atMost(25)}},
		)},
		{"G8", "the transport of a scenario", goFigures(
			goBench{pkg: ".", pattern: "^BenchmarkTransport$", time: "10000x"},
			goFigure{"Transport/scenario", "ns/op", 1e-3, figure{What: "time", Unit: "µs", Goal: atMost(3)}},
			goFigure{"Transport/scenario", "allocs/op", 1, figure{What: "allocations", Goal: atMost(25)}},
			goFigure{"Transport/each", "us-p99", 1, figure{What: "p99", Unit: "µs"}},
			goFigure{"Transport/canned", "ns/op", 1e-3, figure{What: "a canned answer", Unit: "µs"}},
		)},
		{"G11", "answers a second, eight clients", rates},
		{"G11", "answers a second beside 10,000 idle connections", withIdleClients},
		{"G12", "from start to first answer", starts},
		{"G13", "an intercepted request over TLS", goFigures(
			goBench{pkg: "internal/server", pattern: "^BenchmarkIntercept$", time: "300x"},
			goFigure{"Intercept/new", "ns/op", 1e-6, figure{What: "new host", Unit: "ms", Goal: atMost(1.5)}},
			goFigure{"Intercept/new", "ms-p99", 1, figure{What: "new host, p99", Unit: "ms"}},
			goFigure{"Intercept/same", "ns/op", 1e-6, figure{What: "same host", Unit: "ms", Goal: atMost(1)}},
			goFigure{"Intercept/same", "ms-p99", 1, figure{What: "same host, p99", Unit: "ms"}},
		)},
	}
}

// The clients of a server under load, and how long they ask in a round.
const (
	loadClients = 8
	loadFor     = 2 * time.Second
)

// reachable are the servers that can be had, and a note on each that cannot.
func (l *lab) reachable() (list []mock, notes []string) {
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

// rates compares with all servers that can be had.
func rates(l *lab) (measured, error) {
	list, notes := l.reachable()
	return l.ratesOf(list, notes)
}

// bareRate compares with the bare server alone.
func bareRate(l *lab) (measured, error) { return l.ratesOf(l.mocks("")[:2], nil) }

// ratesOf compares what servers answer in a second, in rounds that alternate. All of
// them run all the while, and rest but for one.
func (l *lab) ratesOf(list []mock, notes []string) (measured, error) {
	m := measured{Notes: notes}
	servers := make([]*running, len(list))
	rate, p99 := make([][]float64, len(list)), make([][]float64, len(list))
	answers := make([]float64, len(list))
	defer func() {
		for _, s := range servers {
			if s != nil {
				_, _ = s.stop() // after an error, which says more
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
		warm, err := loaded(servers[i].address, loadClients, lasting(loadFor))
		if err != nil {
			return m, fmt.Errorf("%s: %w", mock.name, err)
		}
		answers[i] = warm.answers
	}
	for range l.rounds {
		for i, s := range servers {
			got, err := loaded(s.address, loadClients, lasting(loadFor))
			if err != nil {
				return m, fmt.Errorf("%s: %w", list[i].name, err)
			}
			rate[i], p99[i] = append(rate[i], got.rate), append(p99[i], got.p99)
			answers[i] += got.answers
		}
	}
	perAnswer := make([]float64, len(list))
	for i, mock := range list {
		peak, err := servers[i].stop()
		if err != nil {
			return m, fmt.Errorf("%s: %w", mock.name, err)
		}
		perAnswer[i] = servers[i].cpu() * 1000 / answers[i]
		m.Notes = append(m.Notes, fmt.Sprintf("%s: %s k answers a second, p99 %s ms, %.3g µs of CPU for each, peak %.3g MB",
			mock.name, spread(scaled(rate[i], 1e-3)), spread(p99[i]), perAnswer[i], peak))
		servers[i] = nil
		switch {
		case i == 1:
			m.Figures = append(m.Figures,
				ratioOf("over bare net/http", rate[1], rate[0], atLeast(0.75)),
				ratioOf("CPU of an answer", perAnswer[1:2], perAnswer[:1], nil),
				valueOf("answers", "k/s", scaled(rate[1], 1e-3), nil),
				valueOf("p99", "ms", p99[1], nil),
				valueOf("peak", "MB", []float64{peak}, atMost(40)))
		case i > 1:
			f := ratioOf("over "+mock.name, rate[1], rate[i], nil)
			if mock.name == "aimock" {
				f.Goal = atLeast(5)
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
	ours := l.serve()
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
		if _, err := loaded(servers[i].address, loadClients, lasting(loadFor)); err != nil {
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
			got, err := loaded(s.address, loadClients, lasting(loadFor))
			if err != nil {
				return measured{}, err
			}
			rate[i] = append(rate[i], got.rate)
		}
	}
	return measured{Figures: []figure{ratioOf("over none", rate[0], rate[1], atLeast(0.9))}}, nil
}

// starts compares with all servers that can be had.
func starts(l *lab) (measured, error) {
	list, notes := l.reachable()
	return l.startsOf(list, notes)
}

// bareStart compares with the bare server alone.
func bareStart(l *lab) (measured, error) { return l.startsOf(l.mocks("")[:2], nil) }

// startsOf compares how long servers take from their start to their first answer.
func (l *lab) startsOf(list []mock, notes []string) (measured, error) {
	m := measured{Notes: notes}
	first := make([][]float64, len(list))
	for round := -1; round < l.rounds; round++ {
		for i, mock := range list {
			dir, err := os.MkdirTemp(l.dir, "start")
			if err != nil {
				return m, err
			}
			s, err := mock.start(dir)
			if err != nil {
				return m, err
			}
			if _, err := s.stop(); err != nil {
				return m, fmt.Errorf("%s: %w", mock.name, err)
			}
			if round >= 0 {
				first[i] = append(first[i], millis(s.first))
			}
		}
	}
	for i, mock := range list {
		f := valueOf(mock.name, "ms", first[i], nil)
		if i == 1 {
			f.Goal = atMost(15)
			m.Figures = append(m.Figures, ratioOf("over bare net/http", first[1], first[0], atMost(3)))
		}
		m.Figures = append(m.Figures, f)
	}
	return m, nil
}
