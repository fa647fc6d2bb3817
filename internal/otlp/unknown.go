package otlp

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/edits"
)

// An UnknownError says that a question names what the program never sent.
type UnknownError struct {
	// What is "metric", "span", "label", "severity" or "log record"; Name is what
	// was asked for, "" for any.
	What, Name string
	// Of is the metric whose label was asked for, else "".
	Of string
	// Nearest are names that were sent, the nearest first, and Known is how many
	// there are.
	Nearest []string
	Known   int
	// Received is how much has come of that signal, whatever its names.
	Received int
}

// nearestMost is how many names an error lists.
const nearestMost = 5

func unknown(what, name string, known map[string]bool, received int) *UnknownError {
	names := slices.Sorted(maps.Keys(known))
	distance := make(map[string]int, len(names))
	for _, n := range names {
		distance[n] = apart(name, n)
	}
	slices.SortStableFunc(names, func(a, b string) int { return distance[a] - distance[b] })
	return &UnknownError{What: what, Name: name, Nearest: names[:min(nearestMost, len(names))], Known: len(names), Received: received}
}

// comparedMost bounds how long names are compared: the distance costs the
// product of both lengths.
const comparedMost = 200

// apart is how far two names are from each other. That names are written in the
// manner of Prometheus or of OpenTelemetry, and that one is a part of the other,
// counts for little.
func apart(a, b string) int {
	a, b = plain(a), plain(b)
	switch {
	case a == b:
		return 0
	case strings.Contains(b, a) || strings.Contains(a, b):
		return 1
	}
	return 1 + edits.Between(a, b)
}

// plain is a name in lower case, with one sign between words and without the
// suffix of counters.
func plain(name string) string {
	name = strings.ToLower(name[:min(comparedMost, len(name))])
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c > 127 {
			return c
		}
		return '_'
	}, name)
	return strings.TrimSuffix(name, "_total")
}

// Error says what was asked for and what has come in its place.
func (e *UnknownError) Error() string {
	what := e.What
	if e.Name != "" {
		what += " " + strconv.Quote(e.Name)
	}
	if e.Of != "" {
		return fmt.Sprintf("no series of the metric %q has the %s; they have %s", e.Of, what, quoted(e.Nearest))
	}
	switch {
	case e.Received == 0 && e.Name == "":
		return fmt.Sprintf("the program has sent no %s at all: %s", e.What, mute)
	case e.What == "severity":
		return fmt.Sprintf("there is no %s; the nearest that there are: %s", what, quoted(e.Nearest))
	case e.Received == 0:
		return fmt.Sprintf("the program has sent no %s, and no %s at all: %s", what, e.What, mute)
	case e.Known > len(e.Nearest):
		return fmt.Sprintf("the program has sent no %s; the nearest of %d names that it has sent: %s", what, e.Known, quoted(e.Nearest))
	}
	return fmt.Sprintf("the program has sent no %s; it has sent %s", what, quoted(e.Nearest))
}

// mute is why a program may have sent nothing.
const mute = "either it does not export them, or it ended before it did (few flush when they are told to end)"

func quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strconv.Quote(n)
	}
	return strings.Join(list, ", ")
}
