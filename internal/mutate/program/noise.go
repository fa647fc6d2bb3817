package program

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// fields are the header fields that say how a body is written and who asks, as people know them. A scenario seldom is
// about one of them.
var fields = []string{"Content-Type", "Accept", "Accept-Encoding", "User-Agent"}

// Changes of these fields and of time-outs, by what is replaced and what stands before that in its line.
var (
	fieldPair   = pattern.New(`(?i)^[\s,]*(?:(?:-H|--header)\s+)?(?:["']?headers["']?\s*[:=]\s*)?[{(\s]*["']?(?:content-type|accept|accept-encoding|user-agent)["']?\s*(?:[:=,]|=>)\s*["']?[^"'{}]*["']?[\s}),]*$`)
	fieldName   = pattern.New(`(?i)^["'](?:content-type|accept|accept-encoding|user-agent)["']$`)
	beforeValue = pattern.New(`(?i)\b(?:content-type|accept|accept-encoding|user-agent)["']?\s*(?:[:=,]|=>)\s*$`)
	beforeTime  = pattern.New(`(?i)time[_-]?out[^;]{0,24}$`)
)

// noisy reports whether a change is one that nearly every program has and that seldom matters: a field of a header that
// says how a body is written, or a time-out that is another number. It is tried late, and listed last.
func (m *Mutant) noisy() bool {
	text := m.Of.Text
	if m.Of.Data || m.From < 0 || m.From > m.To || m.To > len(text) {
		return false
	}
	replaced := text[m.From:m.To]
	before := text[max(bytes.LastIndexByte(text[:m.From], '\n')+1, m.From-200):m.From]
	switch m.Operator {
	case "number":
		return beforeTime().Match(before)
	case "argument", "text", "related", "call":
		return len(replaced) < 200 && (fieldPair().Match(replaced) || fieldName().Match(replaced) || beforeValue().Match(before))
	}
	return false
}

// weight is how much a change says: a condition, a statement or an order most, and what is noisy least.
func (m *Mutant) weight() int {
	switch {
	case m.field != "" || m.noisy():
		return 2
	case slices.Contains([]string{"condition", "statement", "order", together, shape}, m.Operator):
		return 0
	}
	return 1
}

// weight is that of the change of a line that says most.
func (n *unnoticed) weight() int {
	w := n.Mutant.weight()
	for _, m := range n.others {
		w = min(w, m.weight())
	}
	return w
}

// fieldAlone is the field of a header if a run differs from the usual ones in requests' fields of those kinds alone,
// "" where it differs in anything else.
func fieldAlone(of map[string]string, varying map[string]bool, run []feature) (field string) {
	alone := true
	differs := func(name string) {
		for _, f := range fields {
			if strings.HasPrefix(name, "the header field "+strings.ToLower(f)+" of request ") {
				field = cmp.Or(field, f)
				return
			}
		}
		alone = false
	}
	there := make(map[string]bool, len(run))
	for _, f := range run {
		there[f.of] = true
		if text, ok := of[f.of]; ok && text != f.text || !ok && !varying[f.of] && f.text != "" {
			differs(f.of)
		}
	}
	for name, text := range of {
		if !there[name] && text != "" {
			differs(name)
		}
	}
	if !alone {
		return ""
	}
	return field
}

// An unreadField is a field of the header of requests that no check reads, with the lines whose changes show that.
type unreadField struct {
	of    *Source
	field string
	lines []int
}

// String is the place of the lines, and what is said of them.
func (f *unreadField) String() string {
	if len(f.lines) == 1 {
		return fmt.Sprintf("%s:%d: %s is read by no check", f.of.Shown, f.lines[0], f.field)
	}
	return fmt.Sprintf("%s: %s is read by no check (%d lines)", f.of.Shown, f.field, len(f.lines))
}

// fields are the fields that no check reads, of each file.
func (r *Report) fields() (list []*unreadField) {
	type row struct {
		of    *Source
		field string
	}
	of := map[row]*unreadField{}
	for _, m := range r.Mutants {
		if m.Verdict != Survived || m.field == "" {
			continue
		}
		at := row{m.Of, m.field}
		if of[at] == nil {
			of[at] = &unreadField{of: m.Of, field: m.field}
			list = append(list, of[at])
		}
		if !slices.Contains(of[at].lines, m.Line) {
			of[at].lines = append(of[at].lines, m.Line)
		}
	}
	slices.SortStableFunc(list, func(a, b *unreadField) int {
		return cmp.Or(cmp.Compare(a.of.Path, b.of.Path), cmp.Compare(a.field, b.field))
	})
	return list
}

// inTurn are mutants in the order in which they are tried: one of each line before the second of any, of a line those
// first that say most. Values in data come with the second of a line, since files of data have many lines, and what is
// noisy comes last.
func inTurn(list []*Mutant, values map[*Mutant]bool) []*Mutant {
	turns, lines := make(map[*Mutant]int, len(list)), map[place]int{}
	const last = 1 << 30
	for _, m := range list {
		if m.noisy() {
			turns[m] = last
			continue
		}
		at := place{m.Of, m.Line}
		turns[m] = lines[at]
		if values[m] {
			turns[m]++
		}
		lines[at]++
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *Mutant) int { return cmp.Compare(turns[a], turns[b]) })
	return list
}
