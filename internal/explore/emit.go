package explore

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// leftOut are the blocks of a scenario that speak of the run without a fault.
var leftOut = []string{"expect", "assert", "snapshot"}

// excused are the gates that speak of it.
var excused = []string{"no_assertion", "unexpected_failure", "unfired_fault", "unused_reply"}

// Emit writes a find as a scenario file that shows it without a search: source is
// the text of the file that was explored, and imported what the new one imports
// instead of declaring the world again. The error says why a find cannot be written.
func Emit(w *World, f *Find, source []byte, imported string) ([]byte, error) {
	if f.Oracle == KindModel {
		return nil, errors.New("no check of a scenario compares a program with its model")
	}
	e := Emission{Head: Mark + f.head(), Name: f.Name, Set: f.Set, Events: f.Events, Reply: f.Reply, Imports: []string{imported}}
	if f.Range.Filename == StandardRules {
		e.Imports = append(e.Imports, StandardRules)
	}
	if f.Oracle == KindTolerates {
		e.Blocks = []byte(w.promised().expected(cmp.Or(f.Lost, theRun)))
	}
	return e.Write(w, source)
}

// An Emission is a scenario file to write: one scenario of another file under a set of
// strikes.
type Emission struct {
	// Head is the first line of its comment, before the strikes; Name is what the
	// scenario is called besides its name in the other file.
	Head, Name string
	Set        Set
	// Events are the trace of the run under the set.
	Events []trace.Event
	// Reply is the wrong answer of that run, nil for none.
	Reply *interp.InjectedReply
	// Imports are the other file, and what else it imports.
	Imports []string
	// Blocks are the text of blocks that the scenario has besides, for what must hold.
	Blocks []byte
}

// Write writes the file: source is the text of the one with the scenario. That keeps
// what it says, but for what speaks of the run without a fault, and the scripts of the
// addresses that are struck get the faults where they struck. The error says why it
// cannot be written.
func (e *Emission) Write(w *World, source []byte) ([]byte, error) {
	file, diags := hclwrite.ParseConfig(dotted.Plain(source, w.File), w.File, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	block := scenarioOf(file.Body(), w.Name)
	if block == nil {
		return nil, errors.New("it is one of many that a block stands for")
	}
	body := block.Body()
	for _, b := range body.Blocks() {
		if slices.Contains(leftOut, b.Type()) {
			body.RemoveBlock(b)
		}
		if b.Type() == "cassette" {
			return nil, errors.New("its scenario plays a recording")
		}
		if err := e.fromThere(body, b); err != nil {
			return nil, err
		}
	}
	body.SetAttributeValue("allow", texts(allowed(body)))
	if err := e.rewrite(body, ownOutages(w.Plan)); err != nil {
		return nil, err
	}
	body.AppendUnstructuredTokens(hclwrite.Tokens{{Bytes: e.Blocks}})
	out := hclwrite.NewEmptyFile()
	out.Body().AppendUnstructuredTokens(e.comment())
	out.Body().SetAttributeValue("import", texts(e.Imports))
	out.Body().AppendNewline()
	block.SetLabels([]string{w.Name + ": " + e.Name})
	out.Body().AppendUnstructuredTokens(block.BuildTokens(nil))
	return hclwrite.Format(dotted.Written(out.Bytes(), w.File)), nil
}

// fromThere has the program of a scenario run where it was run: the directory of a sut
// block is told from that of the file.
func (e *Emission) fromThere(body *hclwrite.Body, b *hclwrite.Block) error {
	there := path.Dir(e.Imports[0])
	if b.Type() != "sut" || there == "." || b.Body().GetAttribute("command") == nil {
		return nil
	}
	dir := literal(b.Body(), "dir")
	if a := b.Body().GetAttribute("dir"); a != nil && !isLiteral(a) {
		return errors.New("the directory of its program is computed")
	}
	if wide := unfolded(b); wide != b { // there is room for one attribute on a line
		body.RemoveBlock(b)
		b = body.AppendBlock(wide)
	}
	b.Body().SetAttributeValue("dir", cty.StringVal(path.Join(there, dir)))
	return nil
}

// isLiteral reports whether an attribute is a string as it stands there.
func isLiteral(a *hclwrite.Attribute) bool {
	tokens := a.Expr().BuildTokens(nil)
	return len(tokens) == 3 && tokens[0].Type == hclsyntax.TokenOQuote && tokens[1].Type == hclsyntax.TokenQuotedLit
}

// scenarioOf is the block of a scenario, nil where no block has its name.
func scenarioOf(body *hclwrite.Body, name string) *hclwrite.Block {
	for _, b := range body.Blocks() {
		if b.Type() == "scenario" && slices.Equal(b.Labels(), []string{name}) && b.Body().GetAttribute("for_each") == nil {
			return b
		}
	}
	return nil
}

// Mark begins every file that Emit writes.
const Mark = "# Found by scenario explore: "

// head says what a find is.
func (f *Find) head() string {
	switch f.Oracle {
	case "gate":
		return fmt.Sprintf("the gate %q is broken under", f.Name)
	case KindTolerates:
		return fmt.Sprintf("the run does not survive %s, under", f.Name)
	case KindTest:
		return fmt.Sprintf("the test says %q under", f.Name)
	case KindPanic:
		return fmt.Sprintf("the program panics with %q under", f.Name)
	}
	return fmt.Sprintf("%s %q does not hold under", f.Oracle, f.Name)
}

// comment says at the head of a file what it shows.
func (e *Emission) comment() hclwrite.Tokens {
	text := strings.Map(printable, e.Head) + "\n"
	for i := range e.Set {
		text += "# - " + strings.Map(printable, e.Set[i].String()) + "\n"
	}
	return hclwrite.Tokens{{Bytes: []byte(text)}}
}

// printable has what ends a line, or cannot be seen, not stand in a comment.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// allowed are the gates that the new scenario allows: those of the old one too,
// where they are written as a list of literals.
func allowed(body *hclwrite.Body) []string {
	list := slices.Clone(excused)
	if a := body.GetAttribute("allow"); a != nil {
		for _, t := range a.Expr().BuildTokens(nil) {
			if name := string(t.Bytes); strings.Contains(name, "_") || name == "drifted" || name == "ambiguous" {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func texts(list []string) cty.Value {
	values := make([]cty.Value, len(list))
	for i, s := range list {
		values[i] = cty.StringVal(s)
	}
	return cty.TupleVal(values)
}

// rewrite puts the strikes into the scripts of their addresses, beside the scenario's own
// outages.
func (e *Emission) rewrite(body *hclwrite.Body, own []Outage) error {
	set := slices.Clone(e.Set)
	slices.SortStableFunc(set, func(a, b Strike) int { return cmp.Compare(a.N, b.N) })
	goOn(body, e.Events)
	var scripts []*script
	actors := map[string][]*Strike{}
	for i := range set {
		x := &set[i]
		if x.Events != nil {
			appendEvents(body, x.Events)
			continue
		}
		if o := x.Outage; o != nil {
			if o.From == 0 && strikesStartup(o.Address, x) {
				return errStartup
			}
			outageFirst(body, x)
			continue
		}
		if x.Lane != "" {
			return errors.New("it is a fault of one lane")
		}
		if x.Wrong != "" && e.Reply.Values == nil {
			return errors.New("its answer has a value that must not be shown")
		}
		if brief, err := duringOutage(own, e.Events, x); err != nil {
			return err
		} else if brief != nil {
			outageFirst(body, brief)
			continue
		}
		if ofActor(e.Events, x) {
			actors[x.Address] = append(actors[x.Address], x)
			continue
		}
		at, err := metBy(e.Events, x)
		if err != nil {
			return err
		}
		on := ownScript(body, x.Address, at.Target)
		n := slices.IndexFunc(scripts, func(s *script) bool { return s.body == on })
		if n < 0 {
			s, err := readScript(on)
			if err != nil {
				return err
			}
			n, scripts = len(scripts), append(scripts, s)
		}
		its := func(target string) bool {
			b, _ := scriptFor(body, x.Address, target)
			return b != nil && b.Body() == on
		}
		scripts[n].insert(x, at, usedBefore(e.Events, x, its), attemptsAfter(e.Events, x, its))
	}
	for _, s := range scripts {
		s.write(e.Reply)
	}
	for _, address := range slices.Sorted(maps.Keys(actors)) {
		if err := forActor(body, actors[address]); err != nil {
			return err
		}
	}
	return nil
}

// goOn has the last entry of a script answer again past its end, as it does in a run
// into which faults are injected, where one has.
func goOn(body *hclwrite.Body, events []trace.Event) {
	type line struct {
		on    *hclwrite.Block
		step  string
		entry int
	}
	used := map[line]int{}
	for i := range events {
		e := &events[i]
		entry, scripted := e.Attr("entry").(int)
		if e.Type != trace.AttemptEnd || !scripted || e.Text("by") != "script" {
			continue
		}
		on, _ := scriptFor(body, e.Step, e.Target)
		if on == nil || on.Body().GetAttribute("exhausted") != nil {
			continue
		}
		s, err := readScript(on.Body())
		if err != nil || len(s.items) < 2 || entry > len(s.items) {
			continue
		}
		at := line{on, e.Step, entry}
		if used[at]++; !s.items[entry-1].endless && used[at] > s.items[entry-1].times {
			on.Body().SetAttributeValue("exhausted", cty.StringVal("repeat_last"))
		}
	}
}

// A meeting is an attempt that was struck.
type meeting struct {
	*trace.Event
	// succeeded says that it took its answer for a success.
	succeeded bool
}

// metBy finds the attempt that a strike struck.
func metBy(events []trace.Event, x *Strike) (meeting, error) {
	n := 0
	for i := range events {
		e := &events[i]
		if e.Type != trace.AttemptEnd || e.Step != x.Address {
			continue
		}
		if again, _ := e.Attr("reconnected").(bool); again {
			return meeting{}, errors.New("an attempt asked again over a new connection")
		}
		if n++; number(e, n) == x.N {
			return meeting{e, e.Text("outcome") == "success"}, nil
		}
	}
	return meeting{}, errors.New("the attempt that it strikes did not come to its end")
}

// number is that of an attempt among those of its address, the nth to end. Attempts of a
// program may end in another order.
func number(e *trace.Event, n int) int {
	if _, served := e.Attr("call_number").(int); served {
		return e.Attempt
	}
	return n
}

// usedBefore is how often each entry of a script answered before a strike, of the
// attempts on targets that are the script's.
func usedBefore(events []trace.Event, x *Strike, its func(target string) bool) map[int]int {
	n, used := 0, map[int]int{}
	for i := range events {
		e := &events[i]
		if e.Type != trace.AttemptEnd || e.Step != x.Address {
			continue
		}
		if n++; number(e, n) >= x.N {
			continue
		}
		if entry, ok := e.Attr("entry").(int); ok && its(e.Target) {
			used[entry]++
		}
	}
	return used
}

// attemptsAfter counts the attempts that the same script answers after a strike.
func attemptsAfter(events []trace.Event, x *Strike, its func(target string) bool) (after int) {
	n := 0
	for i := range events {
		e := &events[i]
		if e.Type != trace.AttemptEnd || e.Step != x.Address {
			continue
		}
		if n++; number(e, n) > x.N && its(e.Target) {
			after++
		}
	}
	return after
}

// ownScript is the script that answers a step on a target, and no other step: a copy
// of the one for all where that answered, an empty one where none did.
func ownScript(body *hclwrite.Body, address, target string) *hclwrite.Body {
	on, own := scriptFor(body, address, target)
	if own {
		return on.Body()
	}
	copied := copiedScript(body, on, address)
	if literal(copied, "target") != "" {
		return copied
	}
	for _, other := range body.Blocks() { // it would hide those of one target
		if its := literal(other.Body(), "target"); isScript(other, "*") && its != "" {
			if !hasScript(body, address, its) {
				copiedScript(body, other, address)
			}
		}
	}
	return copied
}

// copiedScript appends a script for an address with what another one has, which may be
// nil.
func copiedScript(body *hclwrite.Body, on *hclwrite.Block, address string) *hclwrite.Body {
	copied := body.AppendNewBlock("on", []string{address}).Body()
	if on == nil {
		return copied
	}
	for name, a := range on.Body().Attributes() {
		copied.SetAttributeRaw(name, a.Expr().BuildTokens(nil))
	}
	for _, b := range on.Body().Blocks() {
		appendCopy(copied, b)
	}
	return copied
}

// isScript reports whether a block is a script with that label.
func isScript(b *hclwrite.Block, label string) bool {
	return b.Type() == "on" && slices.Equal(b.Labels(), []string{label})
}

// hasScript reports whether there is a script for a target of an address alone.
func hasScript(body *hclwrite.Body, address, target string) bool {
	return slices.ContainsFunc(body.Blocks(), func(b *hclwrite.Block) bool {
		return isScript(b, address) && literal(b.Body(), "target") == target
	})
}

// scriptFor is the script that answers a step on a target, nil for none, and whether
// it is for that step alone: the most specific wins, as in a run.
func scriptFor(body *hclwrite.Body, address, target string) (best *hclwrite.Block, own bool) {
	rank := -1
	for _, b := range body.Blocks() {
		if b.Type() != "on" || len(b.Labels()) != 1 || b.Labels()[0] != address && b.Labels()[0] != "*" {
			continue
		}
		r, its := 0, literal(b.Body(), "target")
		if its != "" && its != target {
			continue
		}
		if b.Labels()[0] == address {
			r += 2
		}
		if its != "" {
			r++
		}
		if r > rank {
			best, own, rank = b, b.Labels()[0] == address, r
		}
	}
	return best, own
}

// literal is a text that stands in an attribute as it is, "" for any other.
func literal(body *hclwrite.Body, name string) string {
	a := body.GetAttribute(name)
	if a == nil {
		return ""
	}
	return strings.Trim(strings.TrimSpace(string(a.Expr().BuildTokens(nil).Bytes())), `"`)
}

// A script is one whose entries are laid out anew.
type script struct {
	body  *hclwrite.Body
	items []item
	// alone says that its one entry answers any number of calls, since it says nothing
	// of how many.
	alone bool
}

// An item is an entry of a script, or a part of one, or a fault that was put there.
type item struct {
	block   *hclwrite.Block
	number  int // of the entry, 0 for a fault that was put there
	times   int
	endless bool
	// strike is what was put there, at what, and disturbed the answer around which
	// it lies, nil for none.
	strike    *Strike
	at        meeting
	disturbed *hclwrite.Block
}

func readScript(body *hclwrite.Body) (*script, error) {
	s := &script{body: body}
	for _, b := range body.Blocks() {
		if b.Type() != "reply" && b.Type() != "fault" && b.Type() != "replay" {
			continue
		}
		it := item{block: b, number: len(s.items) + 1}
		s.alone = b.Body().GetAttribute("times") == nil && body.GetAttribute("exhausted") == nil
		var err error
		if it.times, it.endless, err = times(b); err != nil {
			return nil, err
		}
		s.items = append(s.items, it)
	}
	s.alone = s.alone && len(s.items) == 1
	return s, nil
}

// insert puts a strike behind what answered before it, and before or in the place of
// what it disturbed. Strikes come in the order in which they struck. Used counts how
// often each entry answered before the strike, and after the attempts that follow.
func (s *script) insert(x *Strike, at meeting, used map[int]int, after int) {
	if s.alone && fits(s.items[0].block, at) {
		s.split(x, at, used[1], after)
		return
	}
	s.alone = false
	for i, it := range s.items {
		if it.number == 0 || !fits(it.block, at) {
			continue
		}
		before := used[it.number]
		if !it.endless && before >= it.times {
			used[it.number] -= it.times
			continue
		}
		parts := []item{{strike: x, at: at, disturbed: it.block}}
		if before > 0 {
			head := it
			head.times, head.endless = before, false
			parts = append([]item{head}, parts...)
		}
		rest := it
		if rest.times -= before; at.succeeded {
			rest.times--
		}
		if rest.endless || rest.times > 0 {
			parts = append(parts, rest)
		}
		s.items = slices.Concat(s.items[:i], parts, s.items[i+1:])
		return
	}
	s.items = append(s.items, item{strike: x, at: at})
	if n := len(s.items) - 2; n >= 0 && s.items[n].block != nil { // past its end the last answers again
		last := s.items[n]
		last.times, last.endless = 1, true
		s.body.RemoveAttribute("exhausted") // it has no end
		s.items = append(s.items, last)
	}
}

// split is insert for an entry that answers any number of calls because it is alone,
// which it then is no more: it says how many.
func (s *script) split(x *Strike, at meeting, before, after int) {
	it := s.items[0]
	s.alone, s.items = false, nil
	if before > 0 {
		it.times = before
		s.items = append(s.items, it)
	}
	s.items = append(s.items, item{strike: x, at: at, disturbed: it.block})
	it.times, it.endless = 1, after > 1
	s.items = append(s.items, it)
}

// write lays the items out in the place of what stood there, a wrong answer as it was played.
func (s *script) write(answer *interp.InjectedReply) {
	for _, b := range s.body.Blocks() {
		if b.Type() == "reply" || b.Type() == "fault" || b.Type() == "replay" {
			s.body.RemoveBlock(b)
		}
	}
	for _, it := range s.items {
		if it.strike != nil && it.strike.Wrong != "" {
			appendReply(s.body, answer, it.at)
		} else if it.strike != nil {
			appendFault(s.body, it.strike, it.at, it.disturbed)
		} else {
			b := it.block
			if it.endless || it.times > 1 {
				b = unfolded(b)
			}
			setTimes(appendCopy(s.body, b), it.times, it.endless)
		}
	}
}

// fits reports whether an entry can answer the attempt.
func fits(b *hclwrite.Block, at meeting) bool {
	for name, is := range map[string]string{"target": at.Target, "turn": fmt.Sprint(at.Turn), "iteration": fmt.Sprint(at.Iteration)} {
		if want := literal(b.Body(), name); want != "" && want != is {
			return false
		}
	}
	return true
}

// times is how often an entry answers.
func times(b *hclwrite.Block) (n int, endless bool, err error) {
	switch text := literal(b.Body(), "times"); text {
	case "":
		return 1, false, nil
	case "*":
		return 0, true, nil
	default:
		if _, err := fmt.Sscanf(text, "%d", &n); err != nil {
			return 0, false, errors.New("times of an entry is computed")
		}
		return n, false, nil
	}
}

func setTimes(b *hclwrite.Block, n int, endless bool) {
	switch {
	case endless:
		b.Body().SetAttributeValue("times", cty.StringVal("*"))
	case n == 1:
		b.Body().RemoveAttribute("times")
	default:
		b.Body().SetAttributeValue("times", cty.NumberIntVal(int64(n)))
	}
}

// unfolded is a block on several lines, in which more can be written than the one
// attribute for which there is room on a line.
func unfolded(b *hclwrite.Block) *hclwrite.Block {
	if strings.Contains(strings.TrimSpace(string(b.BuildTokens(nil).Bytes())), "\n") {
		return b
	}
	own := hclwrite.NewBlock(b.Type(), b.Labels())
	for name, a := range b.Body().Attributes() {
		own.Body().SetAttributeRaw(name, a.Expr().BuildTokens(nil))
	}
	return own
}

// appendCopy appends a block with all that stands in it.
func appendCopy(body *hclwrite.Body, b *hclwrite.Block) *hclwrite.Block {
	file, _ := hclwrite.ParseConfig(b.BuildTokens(nil).Bytes(), "", hcl.InitialPos)
	copied := file.Body().Blocks()[0]
	body.AppendBlock(copied)
	return copied
}

// ofEntry are the attributes that say which calls an entry answers.
var ofEntry = []string{"times", "target", "turn", "iteration", "optional"}

// appendFault appends a strike, around the answer that it disturbed.
func appendFault(body *hclwrite.Body, x *Strike, at meeting, disturbed *hclwrite.Block) {
	fault := appendStrike(body, x)
	at.address(fault)
	if disturbed == nil || disturbed.Type() == "fault" {
		return
	}
	looks := x.injection().Looks()
	if !looks && disturbed.Body().GetAttribute("cost_usd") == nil {
		return
	}
	inner := appendCopy(fault, disturbed).Body()
	for name := range inner.Attributes() {
		if slices.Contains(ofEntry, name) || !looks && name != "cost_usd" { // it is paid for all the same
			inner.RemoveAttribute(name)
		}
	}
}

// appendReply appends a wrong answer.
func appendReply(body *hclwrite.Body, answer *interp.InjectedReply, at meeting) {
	reply := body.AppendNewBlock("reply", nil).Body()
	for _, name := range slices.Sorted(maps.Keys(answer.Values)) {
		reply.SetAttributeValue(name, valueOf(answer.Values[name]))
	}
	at.address(reply)
}

// address has an entry answer in the turn and the iteration alone in which it struck.
func (m *meeting) address(entry *hclwrite.Body) {
	if m.Turn > 0 {
		entry.SetAttributeValue("turn", cty.NumberIntVal(int64(m.Turn)))
	}
	if m.Iteration > 0 {
		entry.SetAttributeValue("iteration", cty.NumberIntVal(int64(m.Iteration)))
	}
}

// AppendFault appends a fault with what is given of its arguments, and returns its
// body.
func AppendFault(body *hclwrite.Body, kind *faults.Kind, args schema.Values) *hclwrite.Body {
	fault := body.AppendNewBlock("fault", []string{kind.Name}).Body()
	given := kind.Given(args)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		fault.SetAttributeValue(name, valueOf(given[name]))
	}
	return fault
}

func valueOf(v any) cty.Value {
	if d, ok := v.(time.Duration); ok {
		return cty.StringVal(d.String())
	}
	return dsl.CtyValue(v)
}
