package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// plainSigns are what is shown in the place of our signs where ASCII alone can
// be.
var plainSigns = strings.NewReplacer(
	"━", "=", "·", ".", "╌", "-", "─", "-", "▄", "#", "╍", "%", "✓", "+", "✗", "x", "↯", "X", "○", "o", "⊘", "/", "┼", "+", "│", "|", "├", "|",
	"…", "...", "›", ">", "×", "x", "\uFFFD", "?",
)

// plainMarks are those of them that stand inside of messages, too.
var plainMarks = strings.NewReplacer("…", "...", "›", ">")

// plainText is a text in ASCII: our signs by their twins, everything else as the
// language writes it in a string, \u00e9.
func plainText(s string) string { return asciiOf(plainSigns.Replace(s)) }

func asciiOf(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r < 1<<16:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// ASCII is a writer for people whose terminal shows ASCII alone. What is written
// to it at once is whole characters.
func ASCII(w io.Writer) io.Writer { return asciiWriter{w} }

type asciiWriter struct{ io.Writer }

func (w asciiWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, plainText(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// plain is the entry with all that came from a file or an answer in ASCII, so
// that nothing in it is taken for one of our signs. Names are left to the
// writer: they are shown quoted.
func (e Entry) plain() Entry {
	text := func(s string) string { return asciiOf(plainMarks.Replace(s)) }
	r := *e.Result
	plan := *r.Plan
	plan.File = text(plan.File)
	r.Plan = &plan
	problems := func(list []interp.Problem) []interp.Problem {
		list = slices.Clone(list)
		for i := range list {
			p := &list[i]
			p.Message, p.Diff, p.Range.Filename = text(p.Message), text(p.Diff), text(p.Range.Filename)
			p.Operands = slices.Clone(p.Operands)
			for j := range p.Operands {
				p.Operands[j] = interp.Operand{Text: text(p.Operands[j].Text), Value: text(p.Operands[j].Value)}
			}
		}
		return list
	}
	r.Problems, r.Relaxed = problems(r.Problems), problems(r.Relaxed)
	r.Unread = slices.Clone(r.Unread)
	for i, part := range r.Unread {
		r.Unread[i] = text(part)
	}
	if r.Program != nil {
		program := *r.Program
		program.Said = slices.Clone(program.Said)
		for i := range program.Said {
			program.Said[i] = text(program.Said[i])
		}
		r.Program = &program
	}
	r.Events = slices.Clone(r.Events)
	for i := range r.Events {
		v := &r.Events[i]
		v.Step, v.Call, v.Actor, v.Target = text(v.Step), text(v.Call), text(v.Actor), text(v.Target)
		attrs := trace.Attrs(slices.Clone(v.Attrs()))
		for j, a := range attrs {
			switch s := a.Value.(type) {
			case string:
				attrs[j].Value = text(s)
			case trace.Text:
				attrs[j].Value = text(s.Text())
			}
		}
		v.Payload = attrs
	}
	e.Result, e.Reason = &r, text(e.Reason)
	if e.Source != nil {
		e.Source = []byte(text(string(e.Source)))
	}
	return e
}
