package schedule

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Write writes a schedule for people, in lines of at most so many columns where width is
// not 0.
func (s *Schedule) Write(w io.Writer, width int) error {
	o := &out{width: width}
	for _, step := range s.Steps {
		o.step(step)
	}
	switch {
	case s.Longest.Open == acted:
		o.line(2, "worst case of all: not known, as "+acted)
	case len(s.Steps) == 0:
		o.line(2, "no step of it calls a service")
		fallthrough
	default:
		o.line(2, "worst case of all: "+longest(s.Longest)+", "+calls(s.Calls)+cost(s.Cost))
	}
	for _, f := range s.Findings {
		o.finding(2, f)
	}
	_, err := io.WriteString(w, o.b.String())
	return err
}

type out struct {
	b     strings.Builder
	width int
}

// line writes a line, folded where it is too long.
func (o *out) line(margin int, text string) { o.folded(margin, margin+2, text) }

func (o *out) folded(first, next int, text string) {
	margin := strings.Repeat(" ", first)
	at := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case at == 0:
			o.b.WriteString(margin + word)
			at = first + n
		case o.width > 0 && at+1+n > o.width:
			o.b.WriteString("\n" + strings.Repeat(" ", next) + word)
			at = next + n
		default:
			o.b.WriteString(" " + word)
			at += 1 + n
		}
	}
	o.b.WriteByte('\n')
}

func (o *out) finding(margin int, f Finding) {
	o.line(margin, "look: "+f.Text)
	o.line(margin+2, "hint: "+f.Hint)
}

func (o *out) step(s *Step) {
	o.line(2, fmt.Sprintf("step %q (%s), line %d: %s", s.Name, s.Kind, s.Rng.Start.Line, s.around()))
	if s.Turns > 1 {
		o.line(4, fmt.Sprintf("up to %d turns, each with attempts of its own:", s.Turns))
	}
	names, starts := 0, 0
	for i := range s.Rounds {
		names, starts = max(names, len(s.Rounds[i].name(s))), max(starts, len(s.Rounds[i].start()))
	}
	for i := range s.Rounds {
		r := &s.Rounds[i]
		name := fmt.Sprintf("%-*s  ", names, r.name(s))
		if o.width > 0 && o.width < narrow {
			o.folded(4, 6, name+r.start()+r.wait(s))
			continue
		}
		o.b.WriteString(strings.TrimRight(fmt.Sprintf("    %s%-*s%s", name, starts, r.start(), r.wait(s)), " ") + "\n")
	}
	if s.More > 0 {
		o.line(4, fmt.Sprintf("and %d more retries", s.More))
	}
	text := "worst case: " + longest(s.Longest)
	if s.Again && s.Longest.Open == "" {
		text += " each time"
	}
	if s.Targets != nil {
		text += ", " + calls(s.Calls)
	}
	o.line(4, text)
	for _, f := range s.Findings {
		o.finding(4, f)
	}
}

// narrow is below how many columns rounds do not stand in columns.
const narrow = 72

// around is what stands around the attempts of a step.
func (s *Step) around() string {
	var list []string
	var names []string
	for _, t := range s.Targets {
		text := fmt.Sprintf("%q", t.Name)
		if t.Attempt > 0 {
			text += fmt.Sprintf(" (at most %s an attempt)", short(t.Attempt))
		}
		names = append(names, text)
	}
	if names != nil {
		list = append(list, "target "+strings.Join(names, ", then "))
	}
	if s.Retry.MaxRetries > 0 {
		list = append(list, fmt.Sprintf("retry %q", s.Retry.Name))
		if s.Retry.RespectRetryAfter {
			list = append(list, "waits for a server up to "+short(told(s.Retry)))
		}
	} else {
		list = append(list, "no retry")
	}
	switch {
	case s.Limit == 0:
		list = append(list, "no deadline")
	case s.By == fmt.Sprintf("step %q", s.Name):
		list = append(list, "ends at "+short(s.Limit))
	default:
		list = append(list, fmt.Sprintf("%s ends at %s", s.By, short(s.Limit)))
	}
	return strings.Join(list, ", ")
}

// start says when a round begins at the earliest.
func (r *Round) start() string {
	if r.Never {
		return "never"
	}
	return "at " + short(r.From)
}

// wait says what comes before a round, and when it begins behind silence.
func (r *Round) wait(s *Step) string {
	if r.N == 1 {
		return ""
	}
	wait := short(r.Low)
	if r.High != r.Low {
		wait = fmt.Sprintf("%s to %s", short(r.Low), short(r.High))
	}
	text := "  after a wait of " + wait
	if r.Never {
		return text + ", that is at " + short(r.From)
	}
	if s.Targets != nil && !r.SilentNever && r.Silent > r.From {
		text += fmt.Sprintf("; at %s behind silence", short(r.Silent))
	}
	return text
}

// short is a duration without the digits that nobody reads.
func short(d time.Duration) string {
	if d > 10*time.Millisecond {
		d = d.Round(time.Millisecond)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func longest(b Bound) string {
	if b.Open != "" {
		return "no end (" + b.Open + ")"
	}
	return short(b.Time)
}

func calls(c Count) string {
	switch {
	case c.Open != "":
		return "any number of calls (" + c.Open + ")"
	case c.N == 0:
		return "no call"
	case c.N == 1:
		return "1 call"
	}
	return fmt.Sprintf("%d calls", c.N)
}

func cost(c Cost) string {
	text := ""
	switch {
	case c.Open != "":
		text = ", at a cost that is not known (" + c.Open + ")"
	case c.Priced:
		text = fmt.Sprintf(", $%.4g (the dearest answer of the scripts each time)", c.USD)
	}
	if c.Budget != nil {
		text += fmt.Sprintf("; the budget lets no call begin once $%.4g are spent", *c.Budget)
	}
	return text
}
