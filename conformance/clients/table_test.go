package clients

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// onWire marks a line of the table that is about sockets alone, where that differs
// from what a transport in process can say.
const onWire = " (wire)"

// either stands between what a client does by chance, one or the other.
const either = " or "

// A table is what is expected of each client at each meeting, by their names.
type table map[string]map[string]string

// expected reads testdata/expected.txt: the name of a meeting, then a line for
// each client that meets it.
func expected(t *testing.T) table {
	t.Helper()
	f, err := os.Open("testdata/expected.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, name := table{}, ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			name = line
			all[name] = map[string]string{}
		default:
			client, does, ok := strings.Cut(strings.TrimSpace(line), "  ")
			if !ok || name == "" {
				t.Fatalf("expected.txt: %q is no line of a client", line)
			}
			all[name][client] = strings.TrimSpace(does)
		}
	}
	return all
}

// of is what is expected of a client in a way, "" where the table has nothing.
func (e table) of(meeting, client string, wire bool) string {
	if special, ok := e[meeting][client+onWire]; ok && wire {
		return special
	}
	return e[meeting][client]
}

// compare reports where a client did other than expected. The gaps alone may be
// those of a busy machine, and again says for which meetings.
func (e table) compare(t *testing.T, way string, c client, got cells) (again []string) {
	t.Helper()
	for name, x := range got {
		want := e.of(name, c.name, way == "on the wire")
		switch {
		case slices.Contains(strings.Split(want, either), x.String()):
		case way != "in a bubble" && withoutGaps(want) == withoutGaps(x.String()):
			again = append(again, name)
		default:
			t.Errorf("%s, %s %s:\n  %-26s%s\nwant\n  %-26s%s", name, c.name, way, c.name, x, c.name, want)
		}
	}
	return again
}

// withoutGaps is a cell without the times between its attempts.
func withoutGaps(cell string) string {
	attempts, rest, ok := strings.Cut(cell, " (")
	if _, outcome, found := strings.Cut(rest, "): "); ok && found {
		return attempts + ": " + outcome
	}
	return cell
}

// report writes what was seen as lines of the table, where the environment names a
// file for it.
func report(t *testing.T, way string, c client, list []meeting, got cells) {
	t.Helper()
	path := os.Getenv("CONFORMANCE_TABLE")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", c.name, way)
	for _, m := range list {
		if x, ok := got[m.name]; ok {
			fmt.Fprintf(&b, "  %-26s%s\n", m.name, x)
		}
	}
	if _, err := f.WriteString(b.String()); err != nil {
		t.Error(err)
	}
}
