package convert

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Draft is what the file of another tool says in terms of a scenario file:
// calls, and the answers that each of them meets.
type Draft struct {
	// Provider is the kind of provider that all calls go to, and Model or BaseURL
	// what it is told.
	Provider, Model, BaseURL string
	Cases                    []*Case
}

// A Case becomes a workflow, and a scenario that runs it.
type Case struct {
	Name  string
	Steps []*DraftStep
}

// A DraftStep is a call with the script of its answers.
type DraftStep struct {
	Name string
	// Notes say what was compared where the file comes from.
	Notes []string
	// Request are the attributes of the step.
	Request []Attr
	Tools   []string
	Entries []*Entry
	// Safe says that the request may be sent again after any failure.
	Safe bool
	// Turns says that the answers are turns of one conversation, with the tools
	// in between.
	Turns bool
	// Endless says that the last answer is given again and again.
	Endless bool
}

// An Entry is one answer: a reply, a fault, or a fault with the reply that it
// disturbs.
type Entry struct {
	Reply []Attr // nil where there is none
	Fault string // "" where there is none
	Args  []Attr
	// Fails says that the call is no success, Refused that it certainly had no
	// effect, and Again that a retry makes sense.
	Fails, Refused, Again bool

	calls  []string // the tools that it calls
	chunks int      // how many a streamed text has
	Status int
}

// An Attr is an attribute: a string, a bool, an int, a float64, a Number, a
// [Ref], an [Expr], or a []any or []Attr of those, which is an object.
type Attr struct {
	Name  string
	Value any
}

// A Number is a number as it was written.
type Number string

// A Ref is a reference, such as workflow.ask.
type Ref string

// An Expr is an expression as it is written.
type Expr string

// A Block is a block of a scenario file that is to be written.
type Block struct {
	Type   string
	Labels []string
	Notes  []string
	Attrs  []Attr
	Blocks []*Block
}

func (b *Block) add(typ string, labels ...string) *Block {
	inner := &Block{Type: typ, Labels: labels}
	b.Blocks = append(b.Blocks, inner)
	return inner
}

func (b *Block) set(name string, value any) { b.Attrs = append(b.Attrs, Attr{name, value}) }

// Blocks are the draft as the top-level blocks of a file. Each case expects
// what its script brings about, so that the file passes as it is.
func (d *Draft) Blocks() []*Block {
	file := &Block{}
	p := file.add("provider", d.Provider, "service")
	if d.Model != "" {
		p.set("model", d.Model)
	}
	if d.BaseURL != "" {
		p.set("base_url", d.BaseURL)
	}
	for _, retries := range d.retries() {
		r := file.add("retry", "linear", retryName(retries))
		r.set("delay", "1s")
		r.set("max_retries", retries)
	}
	for _, c := range d.Cases {
		c.blocks(file, d.Provider)
	}
	return file.Blocks
}

// retries are the lengths of retry policies that the sequences need.
func (d *Draft) retries() []int {
	seen := map[int]bool{}
	for _, c := range d.Cases {
		for _, s := range c.Steps {
			if n := s.retries(); n > 0 {
				seen[n] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func retryName(n int) string {
	if n == 1 {
		return "once"
	}
	return "times_" + strconv.Itoa(n)
}

func (c *Case) blocks(file *Block, provider string) {
	w := file.add("workflow", identifier(c.Name))
	w.set("provider", Ref("provider.service"))
	kind := "llm"
	if provider == "http" {
		kind = "http"
	}
	if len(c.Steps) > 1 && c.fails() {
		w.set("on_failure", "continue")
	}
	for i, s := range c.Steps {
		s.declare(w, kind)
		if i > 0 && !c.fails() {
			w.Blocks[i].set("depends_on", []any{Ref("step." + c.Steps[i-1].Name)})
		}
	}
	sc := file.add("scenario", c.Name)
	sc.set("run", Ref("workflow."+identifier(c.Name)))
	for _, s := range c.Steps {
		s.script(sc)
	}
	for _, s := range c.Steps {
		s.expect(sc)
	}
	if c.fails() {
		status := "failed"
		if len(c.Steps) > 1 && !c.allFail() {
			status = "partial"
		}
		sc.add("expect", "run").set("status", status)
	}
}

func (c *Case) fails() bool {
	for _, s := range c.Steps {
		if s.fails() {
			return true
		}
	}
	return false
}

func (c *Case) allFail() bool {
	for _, s := range c.Steps {
		if !s.fails() {
			return false
		}
	}
	return true
}

// declare writes the step. A step that meets several answers calls as often:
// it is retried while it fails, or stands in a loop.
func (s *DraftStep) declare(w *Block, kind string) {
	step := &Block{Type: "step", Labels: []string{kind, s.Name}, Notes: s.Notes, Attrs: s.Request}
	s.offer(step)
	if n := s.retries(); n > 0 {
		step.set("retry", Ref("retry."+retryName(n)))
	}
	if s.loops() {
		loop := w.add("step", "loop", s.Name)
		loop.Notes, step.Notes = step.Notes, nil
		loop.set("max_iterations", s.calls())
		step.Labels[1] = innerName
		loop.Blocks = append(loop.Blocks, step)
		return
	}
	w.Blocks = append(w.Blocks, step)
}

// offer declares the tools. They run where an answer to their result follows.
func (s *DraftStep) offer(step *Block) {
	var offered []any
	for _, t := range s.Tools {
		if s.Turns {
			step.add("tool", t).set("output", "")
			continue
		}
		offered = append(offered, []Attr{{"name", t}})
	}
	if len(offered) > 0 {
		step.set("tools", offered)
	}
}

// innerName is the step within the loop that calls several times.
const innerName = "each"

func (s *DraftStep) script(sc *Block) {
	on := sc.add("on", s.address())
	if s.Endless && len(s.Entries) > 1 {
		on.set("exhausted", "repeat_last")
	}
	reached := s.calls()
	for i, e := range s.Entries {
		b := e.block()
		if i >= reached {
			b.set("optional", true)
		}
		on.Blocks = append(on.Blocks, b)
	}
}

func (s *DraftStep) address() string {
	if s.loops() {
		return s.Name + "." + innerName
	}
	return s.Name
}

func (e *Entry) block() *Block {
	if e.Fault == "" {
		return &Block{Type: "reply", Attrs: e.Reply}
	}
	b := &Block{Type: "fault", Labels: []string{e.Fault}, Attrs: e.Args}
	if e.Reply != nil {
		b.Blocks = []*Block{{Type: "reply", Attrs: e.Reply}}
	}
	return b
}

func (s *DraftStep) expect(sc *Block) {
	b := sc.add("expect", s.Name)
	if s.fails() {
		b.set("status", "failed")
		return
	}
	b.set("status", "success")
	if n := s.retries(); n > 0 {
		b.set("retries", n)
	}
	last := s.Entries[len(s.Entries)-1]
	if s.loops() || last.Fault != "" {
		return
	}
	for _, a := range last.Reply {
		if a.Name == "content" || a.Name == "status_code" {
			b.Attrs = append(b.Attrs, a)
		}
	}
}

// retries is how many retries lead to the last answer, 0 where a retry never
// does.
func (s *DraftStep) retries() int {
	n := len(s.Entries) - 1
	if s.Turns {
		return 0
	}
	for _, e := range s.Entries[:n] {
		if !e.Fails || !e.Again || !s.Safe && !e.Refused {
			return 0
		}
	}
	return n
}

// loops reports whether a loop leads to the last answer.
func (s *DraftStep) loops() bool {
	n := len(s.Entries) - 1
	for _, e := range s.Entries[:n] {
		if e.Fails {
			return false
		}
	}
	return n > 0 && !s.Turns
}

// calls is how many answers of the script the draft comes to.
func (s *DraftStep) calls() int {
	if s.Turns || s.loops() || s.retries() > 0 {
		return len(s.Entries)
	}
	return 1
}

// fails reports whether the step ends in a failure.
func (s *DraftStep) fails() bool { return s.Entries[s.calls()-1].Fails }

// unreached notes the answers that the draft itself does not come to.
func (s *DraftStep) unreached() string {
	if n := len(s.Entries) - s.calls(); n > 0 {
		return fmt.Sprintf("%d of the %d answers of step %s come only when it is called again after a failure that no retry is for; they are optional", n, len(s.Entries), strconv.Quote(s.Name))
	}
	return ""
}

// Identifier is a name made of a text: lower-case words joined by underscores.
func Identifier(text string) string { return identifier(text) }

// identifier makes a name of a text: lower-case words joined by underscores.
func identifier(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
		if b.Len() >= nameMax {
			break
		}
	}
	name := b.String()
	if name == "" || name[0] <= '9' {
		name = strings.TrimSuffix("case_"+name, "_")
	}
	return name
}

const nameMax = 40

// A namer gives every name once, and every name an identifier of its own.
type namer map[string]int

func (n namer) unique(name string) string {
	key := identifier(name)
	n[key]++
	for count := n[key]; count > 1; count++ {
		with := numbered(name, count)
		if own := identifier(with); n[own] == 0 {
			n[key], n[own] = count, 1
			return with
		}
	}
	return name
}

// numbered is a name with a number, which is shortened until its identifier has a place
// for that.
func numbered(name string, count int) string {
	number := strconv.Itoa(count)
	most := nameMax - len("_") - len(number)
	cut := []rune(name)
	if len(identifier(name)) > most {
		cut = cut[:min(len(cut), most)]
	}
	return strings.TrimSpace(string(cut)) + " " + number
}
