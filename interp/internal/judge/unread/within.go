package unread

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/judge/unread/cut"
	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// mostWithin bounds how many events are gone over for what stands in parts that checks read, in all: nothing is
// said of the rest. textsMost and piecesMost bound the texts of a part and the pieces of a text that are looked at,
// and piecesShown those that are told of by what they say.
const (
	mostWithin  = 1 << 17
	textsMost   = 4
	piecesMost  = 32
	piecesShown = 3
	// classifierBegins is how much of what a classifier tells a model is the same for all.
	classifierBegins = 80
)

// within adds what no check tells from something else in a part of which checks read something: that a member is
// there, which of several values of one form it is, and pieces of a text.
func (l *look) within(list []observe.RequestPart, g *group, p *part) []observe.RequestPart {
	if p.told || p.unread || p.slight || l.left < 0 {
		return list
	}
	if p.change != nil && p.name != "" && p.name != "method" && p.name != "tool" && p.name != "host" && p.name != "provider" {
		var from []string
		if p.keys[0] == "json" && !strings.HasSuffix(p.name, "]") && l.missed(g, p, change{how: absent}) {
			from = append(from, "none at all")
		}
		if !l.o.Driven() && p.keys[0] != "statement" && p.name != "body" && p.name != "model" && l.missed(g, p, change{how: formed}) {
			from = append(from, "another of its form")
		} else if p.keys[0] != "path" {
			list = l.pieces(list, g, p)
		}
		if len(from) > 0 {
			list = append(list, observe.RequestPart{Of: g.of, Request: g.request, Name: fmt.Sprintf("%s (from %s)", p.shown(), strings.Join(from, " or "))})
		}
	}
	for _, inner := range p.inner {
		list = l.within(list, g, inner)
	}
	return list
}

// missed reports whether every check comes out as it did with a change of a part; false where it changes nothing.
func (l *look) missed(g *group, p *part, c change) bool {
	if l.left -= len(l.events) + len(g.at); l.left < 0 {
		return false
	}
	events := slices.Clone(l.events)
	changed := false
	for _, at := range g.at {
		c.n = l.first(at)
		l.put(events, at, p, c)
		changed = changed || !events[at].Payload.(*event.AttemptStart).Request.Equal(l.events[at].Payload.(*event.AttemptStart).Request)
	}
	if !changed {
		return false
	}
	o := otherwise.Refold(l.o, events)
	return o != nil && !slices.ContainsFunc(l.checks, func(c check) bool { return !c(o) })
}

// pieces adds what no check tells of the texts that stand in a part.
func (l *look) pieces(list []observe.RequestPart, g *group, p *part) []observe.RequestPart {
	var texts []string
	for _, q := range g.asked {
		now := *q
		now.Headers = maps.Clone(q.Headers)
		p.put(&now, change{edit: func(was string) string {
			if was != "" && len(texts) <= textsMost && !slices.Contains(texts, was) {
				texts = append(texts, was)
			}
			return was
		}})
	}
	for _, text := range texts[:min(len(texts), textsMost)] {
		whole := func(was string) string {
			if was == text {
				return "other"
			}
			return was
		}
		if c := g.step.Step.Classifier; c != nil && strings.HasPrefix(text, c.Prompt(nil)[:classifierBegins]) {
			continue
		}
		cuts := cutting(p, text)
		if len(cuts) == 0 || len(texts) > 1 && l.missed(g, p, change{edit: whole}) {
			continue
		}
		w := &inText{look: l, g: g, p: p, text: text, room: piecesMost}
		w.ask(cuts)
		if said := w.said(); said != "" {
			name := p.shown()
			if p.keys[0] == "statement" {
				name = "the statement"
			}
			list = append(list, observe.RequestPart{Of: strings.TrimSuffix(g.of+" "+g.request, " ") + ", in " + name, Name: said})
		}
	}
	return list
}

// cutting are the pieces of a text that stands in a part. What a classifier tells a model is none of the file's.
func cutting(p *part, text string) []cut.Piece {
	switch p.keys[0] {
	case "headers":
		return cut.Field(text)
	case "statement":
		return cut.Columns(text)
	}
	v := parsed(text)
	if v == nil {
		return cut.Text(text)
	}
	var list []cut.Piece
	v.leaf("", 0, func(path string, v *value) {
		if path != "" {
			list = append(list, cut.Piece{From: v.from, To: v.to, Instead: "null", Name: path})
		}
	})
	return list
}

// inText is a text whose pieces are left out one at a time.
type inText struct {
	*look
	g      *group
	p      *part
	text   string
	room   int
	missed []cut.Piece
}

func (w *inText) ask(pieces []cut.Piece) {
	for i := range pieces {
		piece := &pieces[i]
		if w.room--; w.room < 0 || w.left < 0 {
			return
		}
		if w.look.missed(w.g, w.p, change{edit: func(was string) string {
			part := w.text[piece.From:piece.To]
			switch {
			case was == w.text:
				return piece.Without(was)
			case piece.Instead == "" && strings.Count(was, part) == 1:
				return strings.Replace(was, part, "", 1)
			}
			return was
		}}) {
			w.missed = append(w.missed, *piece)
			continue
		}
		w.ask(piece.Inner)
	}
}

// said tells of the first pieces that no check tells from something else, and says how many more there are. A piece
// that is, or is a part of, what is hidden is counted only.
func (w *inText) said() string {
	hidden := w.o.Plan.Secrets.Text(w.text)
	var names []string
	for _, piece := range w.missed {
		if len(names) < piecesShown && !slices.Contains(names, piece.Name) && strings.Contains(hidden, w.text[piece.From:piece.To]) {
			names = append(names, piece.Name)
		}
	}
	switch more := len(w.missed) - len(names); {
	case len(names) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}
