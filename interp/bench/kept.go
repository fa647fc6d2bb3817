package bench

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// Kept is what is kept of one trial for people to look at: what the system
// answered, whom it called, and what the rubric held against the answer. It is
// nil where nothing is known, and no score depends on it.
type Kept struct {
	// Output is the answer, the log of its program what that wrote on standard
	// error, and Judged the same of the program that scores.
	Output, Log, Judged Excerpt
	// Calls are what the workflow, and the judge, asked and were answered.
	Calls []Call
	// CallsLeft counts the calls that are not among them.
	CallsLeft int
	// Broken are the parts of the condition that did not hold, as the file has
	// them, and Operands the values in those.
	Broken   []string
	Operands []Operand
}

// An Excerpt is a text, or a part of one that is longer than what is kept.
type Excerpt struct {
	Text string
	// Bytes is how long the whole is where Text is a part of it, else 0.
	Bytes int
	// Ends says that such a part is the beginning and the end, with a line between them
	// that begins with "…"; else it is the beginning.
	Ends bool
}

// A Call is one attempt of a call that was made for an answer.
type Call struct {
	// At is when it began.
	At time.Duration
	// Step made it, Attempt is its number from 1, and Target the provider asked.
	Step    string
	Attempt int
	Target  string
	// What names what was asked for: a model, a method with its URL, a tool.
	What string
	// Asked is the request, and Answered what came back: the content or the
	// failure.
	Asked, Answered Excerpt
	// Outcome is "success", "failure" or "cancelled", with the kind of a failure.
	Outcome string
}

// An Operand is a part of a condition with the value that it had.
type Operand struct{ Text, Value string }

// How much is kept of trials in memory and in reports, in bytes: a share for
// each of them within limits. The log has more.
const (
	keptAll  = 8 << 20
	keptMost = 16 << 10
	keptLog  = 1 << 20
	keptMin  = 512
	// maxCalls is how many calls of a trial are kept, and maxOperands how many
	// values.
	maxCalls    = 100
	maxOperands = 12
)

// KeptPerTrial is how many bytes are kept of a trial in memory and in reports.
func (s Spec) KeptPerTrial(cases int) int {
	s = s.whole()
	return min(max(keptAll/max(1, cases*s.Trials), keptMin), keptMost)
}

// KeptInLog is how many bytes of each part of a trial a log keeps.
const KeptInLog = keptLog

// Excerpted is a text up to a number of bytes, cut between two characters.
func Excerpted(text string, limit int) Excerpt {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return Excerpt{Text: text}.upTo(limit)
}

// Cut reports whether the text is a part of a longer one.
func (e Excerpt) Cut() bool { return e.Bytes > 0 }

// JSON is the text where it is whole and one JSON value, else nil.
func (e Excerpt) JSON() json.RawMessage {
	if e.Cut() || !json.Valid([]byte(e.Text)) {
		return nil
	}
	return json.RawMessage(e.Text)
}

func (e Excerpt) upTo(limit int) Excerpt {
	if len(e.Text) <= limit {
		return e
	}
	if e.Bytes == 0 {
		e.Bytes = len(e.Text)
	}
	for limit > 0 && !utf8.RuneStart(e.Text[limit]) {
		limit--
	}
	e.Text = strings.Clone(e.Text[:limit]) // the whole is not to stay in memory for it
	return e
}

// endsWithin is the beginning and the end within a number of bytes: a third of them
// for the beginning, as a program says at the end why it failed.
func (e Excerpt) endsWithin(limit int) Excerpt {
	const between = "\n…\n"
	if len(e.Text) <= limit || limit < 2*len(between) {
		return e.upTo(limit)
	}
	if e.Bytes == 0 {
		e.Bytes = len(e.Text)
	}
	head := (limit - len(between)) / 3
	tail := len(e.Text) - (limit - len(between) - head)
	for head > 0 && !utf8.RuneStart(e.Text[head]) {
		head--
	}
	for tail < len(e.Text) && !utf8.RuneStart(e.Text[tail]) {
		tail++
	}
	e.Text, e.Ends = e.Text[:head]+between+e.Text[tail:], true
	return e
}

// Within is what is kept within a number of bytes: half of them for the answer,
// the rest for what tells how it came about.
func (k *Kept) Within(limit int) *Kept {
	if k == nil {
		return nil
	}
	out := *k
	out.Output = k.Output.upTo(max(limit/2, keptMin/2))
	left := limit - min(len(out.Output.Text), limit/2)
	out.Operands, out.Broken = nil, nil
	for i, o := range k.Operands {
		if i == maxOperands || left <= 0 {
			break
		}
		left -= len(o.Text) + len(o.Value)
		out.Operands = append(out.Operands, o)
	}
	for _, b := range k.Broken {
		if left -= len(b); left < 0 && len(out.Broken) > 0 {
			break
		}
		out.Broken = append(out.Broken, b)
	}
	left = max(left, limit/8)
	out.Log, out.Judged = k.Log.endsWithin(left/4), k.Judged.endsWithin(left/4)
	left -= len(out.Log.Text) + len(out.Judged.Text)
	out.Calls = nil
	for i, c := range k.Calls {
		share := left / (len(k.Calls) - i) / 2
		if i == maxCalls || share < 32 && i > 0 {
			out.CallsLeft += len(k.Calls) - i
			break
		}
		c.Asked, c.Answered = c.Asked.upTo(share), c.Answered.upTo(share)
		left -= len(c.Asked.Text) + len(c.Answered.Text) + len(c.What)
		out.Calls = append(out.Calls, c)
	}
	return &out
}

// Hidden is what is kept with every text as hide shows it. It is hidden before it
// is cut, so that no half of a secret stays.
func (k *Kept) Hidden(hide func(string) string) *Kept {
	if k == nil {
		return nil
	}
	out := *k
	for _, e := range []*Excerpt{&out.Output, &out.Log, &out.Judged} {
		e.Text = hide(e.Text)
	}
	out.Calls = append([]Call(nil), k.Calls...)
	for i := range out.Calls {
		c := &out.Calls[i]
		c.What, c.Asked.Text, c.Answered.Text = hide(c.What), hide(c.Asked.Text), hide(c.Answered.Text)
	}
	out.Operands = append([]Operand(nil), k.Operands...)
	for i := range out.Operands {
		out.Operands[i].Value = hide(out.Operands[i].Value)
	}
	return &out
}

// empty reports whether there is nothing to look at.
func (k *Kept) empty() bool {
	return k == nil || k.Output.Text == "" && k.Log.Text == "" && k.Judged.Text == "" && len(k.Calls)+len(k.Broken)+len(k.Operands) == 0
}

// compacted is a JSON value without the spaces around its parts, any other text
// as it is.
func compacted(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}

// keptOf puts together what there is to look at of a trial.
func keptOf(a *Answer, s *Score) *Kept {
	k := Kept{}
	if s.Seen != nil {
		k = *s.Seen
	}
	s.Seen = nil
	k.Output, k.Log = Excerpt{Text: strings.ToValidUTF8(compacted(a.Output), "\uFFFD")}, Excerpt{Text: strings.ToValidUTF8(a.Log, "\uFFFD")}
	k.Calls = append(append([]Call(nil), a.Calls...), k.Calls...)
	if k.empty() {
		return nil
	}
	return &k
}

// Hide hides in what the cases ask what hide does not show, and cuts it to what a
// report keeps.
func (r *Report) Hide(hide func(string) string) {
	limit := Spec{}.KeptPerTrial(len(r.Cases)) / 2
	for i := range r.Cases {
		c := &r.Cases[i]
		c.Input.Text = hide(c.Input.Text)
		c.Input = c.Input.upTo(limit)
	}
}
