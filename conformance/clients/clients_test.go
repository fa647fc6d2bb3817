package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario/scenariotest"
)

// command builds the command once for all tests.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "clients")
	if err != nil {
		return "", err
	}
	built = dir
	name := filepath.Join(dir, "scenario")
	build := exec.Command("go", "build", "-o", name, "./cmd/scenario")
	build.Dir, build.Stderr = "../..", os.Stderr
	return name, build.Run()
})

// built is the directory of the command, "" where no test needed it.
var built string

func TestMain(m *testing.M) {
	if file := os.Getenv(listensVariable); file != "" {
		os.Exit(tellListeners(file))
	}
	if name := os.Getenv(clientVariable); name != "" {
		os.Exit(asProgram(name))
	}
	code := m.Run()
	for _, dir := range []string{built, installed} {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// ways are those in which a client meets faults. Only in a bubble waits of minutes
// take no time.
var ways = []struct {
	name string
	meet func(t *testing.T, c client, list []meeting) cells
	// linked says that only clients in Go have it, and long that it is for waits.
	linked, long bool
}{
	{"in a bubble", inBubble, true, true},
	{"in process", func(t *testing.T, c client, list []meeting) cells {
		return inProcess(t, c, list, scenariotest.Real())
	}, true, false},
	{"on the wire", onTheWire, false, false},
}

// Shows what real clients do under every fault: how often they ask, how long they
// wait and what their callers get, the same in process, in fake time and over
// sockets, and as docs/clients.md says.
func TestClients(t *testing.T) {
	want := expected(t)
	for _, c := range clients() {
		for _, way := range ways {
			if way.linked && !c.linked() {
				continue
			}
			t.Run(c.name+"/"+way.name, func(t *testing.T) {
				if testing.Short() && way.name == "in process" {
					t.Skip("a bubble shows the same without waiting")
				}
				t.Parallel()
				list := slices.DeleteFunc(c.meets(), func(m meeting) bool { return m.long && !way.long })
				got := way.meet(t, c, list)
				report(t, way.name, c, list, got)
				if len(got) != len(list) {
					t.Errorf("%d of %d meetings took place", len(got), len(list))
				}
				again := want.compare(t, way.name, c, got)
				for try := 0; len(again) > 0; try++ {
					if try == 3 {
						t.Fatalf("%s %s waits otherwise each time: %v", c.name, way.name, got)
					}
					rest := slices.DeleteFunc(slices.Clone(list), func(m meeting) bool { return !slices.Contains(again, m.name) })
					got = way.meet(t, c, rest)
					again = want.compare(t, way.name, c, got)
				}
			})
		}
	}
}

// Shows that the table has a line for every client at every meeting, and none
// besides.
func TestTableIsComplete(t *testing.T) {
	want := expected(t)
	lines := 0
	for _, c := range clients() {
		for _, m := range c.meets() {
			if m.long && !c.linked() {
				continue
			}
			if want.of(m.name, c.name, false) == "" {
				t.Errorf("%s: nothing is expected of %s", m.name, c.name)
			}
			lines++
			if _, ok := want[m.name][c.name+onWire]; ok {
				lines++
			}
		}
	}
	for _, m := range want {
		lines -= len(m)
	}
	if lines != 0 {
		t.Errorf("the table has %d lines for nobody", -lines)
	}
}
