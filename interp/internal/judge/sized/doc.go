// Package sized tells of scenarios that are named after something without a limit, such as "however
// many pages there are" or "nested at any depth", and that give their program no more of it than the
// limits that programs usually have.
//
//	for _, p := range sized.Told(observed, texts) {
//		fmt.Println(p) // named after "at any depth": nested 40 deep; usual limits that this does not meet: 64 (.NET), …
//	}
package sized

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// most bounds how many bytes of a run are measured. A run with more has met most limits: nothing is told of it.
const most = 32 << 20

// Told is what is told of a run of a program, one line at most: the greatest of what it was given, of the kind that
// the scenario or a check is named after, and the usual limits above that. The texts are what the program was given
// besides answers, such as its input; they are asked for only where a name is about a size.
func Told(o *observe.Observed, texts func() []string) []observe.RequestPart {
	if !o.Driven() || o.Plan.Sut == nil {
		return nil
	}
	titles := []string{o.Plan.Name}
	for _, a := range o.Plan.Asserts {
		titles = append(titles, a.Name)
	}
	l := newLexicon()
	if !slices.ContainsFunc(titles, l.speaks) {
		return nil
	}
	m := measured(o, texts())
	if m == nil {
		return nil
	}
	return l.told(titles, m)
}

// measured is what a run gave its program and what that made of it, nil where it is more than is looked at.
func measured(o *observe.Observed, texts []string) *measures {
	m := &measures{}
	asked := map[string]int{}
	for _, text := range texts {
		m.add(text)
	}
	m.add(o.Sut.Stdout)
	for _, e := range o.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Request != nil {
				asked[e.Step]++
				m.count(asked[e.Step])
				m.add(p.Body)
			}
		case *event.AttemptEnd:
			m.add(p.Content)
			for _, c := range p.ToolCalls {
				m.add(c.Arguments)
			}
		}
		if m.bytes > most {
			return nil
		}
	}
	return m
}

// told looks through the names for one that says more than the data show.
func (l *lexicon) told(titles []string, m *measures) []observe.RequestPart {
	for _, title := range titles {
		if phrase, n := l.sizeIn(title); n > 0 && m.of[size] < n*95/100 {
			return []observe.RequestPart{{Of: "named after " + strconv.Quote(phrase), Name: fmt.Sprintf("no text of it has more than %s", bytesOf(m.of[size]))}}
		}
	}
	for _, of := range []func(string, *measures) (string, kind, bool){l.limitless, l.much} {
		for _, title := range titles {
			phrase, k, is := of(title, m)
			if !is || m.of[k] == 0 || m.of[k] >= kinds[k].enough {
				continue
			}
			var above []string
			for _, limit := range kinds[k].limits {
				if limit.n > m.of[k] {
					above = append(above, limit.called)
				}
			}
			return []observe.RequestPart{{
				Of:   "named after " + strconv.Quote(phrase),
				Name: fmt.Sprintf("%s; usual limits that this does not meet: %s", fmt.Sprintf(kinds[k].says, m.of[k]), strings.Join(above, ", ")),
			}}
		}
	}
	return nil
}

// bytesOf is a number of bytes as one says it.
func bytesOf(n int64) string {
	switch {
	case n >= 1e6:
		return strconv.FormatFloat(float64(n/1e5)/10, 'f', -1, 64) + " MB"
	case n >= 1e3:
		return strconv.FormatInt(n/1e3, 10) + " KB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
