package explore

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// WriteText writes for people what searches found out: the finds of every file, what
// is not survived, and the account, with the processor time that they took where that is
// known.
func WriteText(w io.Writer, reports []*Report, o Options, cpu time.Duration) error {
	var b strings.Builder
	for i, r := range reports {
		for _, f := range r.Finds {
			if !f.deadlock() && !f.toldOf(reports[:i]) {
				f.write(&b, r.World)
				f.writeAlso(&b, reports[i+1:])
			}
		}
	}
	writeDeadlocks(&b, reports)
	for _, r := range reports {
		r.writeUnsure(&b)
	}
	total := Sum(reports)
	if unfinished(reports, o) {
		fmt.Fprintf(&b, "\nnot finished: the search ended after %s", total.progress(o))
		if o.GoOn != "" {
			b.WriteString("; " + o.GoOn)
		}
		b.WriteString("\n")
	}
	if len(reports) == 1 {
		reports[0].Survival.write(&b)
	}
	for _, c := range idle(reports) {
		fmt.Fprintf(&b, "never evaluated: invariant %q  %s:%d\n", c.Name, c.Range.Filename, c.Range.Start.Line)
	}
	for _, c := range unbreakable(reports) {
		why, _, _ := strings.Cut(c.Always, "\nhint: ")
		fmt.Fprintf(&b, "shows nothing: invariant %q  %s:%d: %s\n", c.Name, c.Range.Filename, c.Range.Start.Line, why)
	}
	for _, c := range unmet(reports) {
		fmt.Fprintf(&b, "shows nothing: invariant %q  %s:%d: no run met its premise, so none was asked for the rest\n", c.Name, c.Range.Filename, c.Range.Start.Line)
	}
	for _, t := range Untried(reports) {
		fmt.Fprintf(&b, "never tried: %s\n", t)
	}
	total.write(&b, o, found(reports))
	writeJudged(&b, reports, o)
	agreed(reports).write(&b)
	for _, r := range reports {
		if r.Uncompared != "" {
			fmt.Fprintf(&b, "%q is not compared with its model: %s\n", r.World.Name, r.Uncompared)
		}
	}
	b.WriteString(Spent(cpu))
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// Spent is the last line of an account: the processor time, which alone differs from one
// run of a command to the next. It is "" where no time is known.
func Spent(cpu time.Duration) string {
	switch {
	case cpu <= 0:
		return ""
	case cpu < 50*time.Millisecond:
		return "less than 0.1s of CPU\n"
	}
	return fmt.Sprintf("%.1fs of CPU\n", cpu.Seconds())
}

// writeUnsure tells of what a program broke and is no find.
func (r *Report) writeUnsure(b *strings.Builder) {
	for _, f := range r.Flaky {
		fmt.Fprintf(b, "flaky: %q under %s: %d of %d runs\n", f.Name, f.Set, f.Times, f.Of)
	}
	if r.Unsteady == nil {
		return
	}
	fmt.Fprintf(b, "unsteady: the run without a fault is not what it was, after %s: the program, or a service, keeps something from one run to the next. The search ends here", counted(r.Account.Runs, "run"))
	if n := len(r.Withdrawn); n > 0 {
		fmt.Fprintf(b, ", and withdraws %s made since it last was", counted(n, "find"))
	}
	b.WriteString(".\n")
	if len(r.Unsteady.Problems) == 0 {
		b.WriteString("       it passes, and makes another number of requests\n")
	}
	for i := range r.Unsteady.Problems {
		p := &r.Unsteady.Problems[i]
		fmt.Fprintf(b, "       %s %s: %s\n", p.Kind, p.Name, strings.ReplaceAll(MessageOf(p), "\n", "\n       "))
	}
}

// A standing is where an invariant stands.
type standing struct {
	file string
	line int
	name string
}

func standingOf(c interp.InvariantCount) standing {
	return standing{c.Range.Filename, c.Range.Start.Line, c.Name}
}

// unbreakable are the invariants that no fault can break in any scenario: that a search found
// nothing says nothing about them.
func unbreakable(reports []*Report) (list []interp.InvariantCount) {
	seen, may := map[standing]bool{}, map[standing]bool{}
	for _, r := range reports {
		for _, c := range r.Base.Invariants {
			may[standingOf(c)] = may[standingOf(c)] || c.Always == ""
			if !seen[standingOf(c)] {
				seen[standingOf(c)] = true
				list = append(list, c)
			}
		}
	}
	return slices.DeleteFunc(list, func(c interp.InvariantCount) bool { return may[standingOf(c)] })
}

// idle are the invariants that no run of any scenario evaluated.
func idle(reports []*Report) []interp.InvariantCount {
	return inAll(reports, func(r *Report) []interp.InvariantCount { return r.Idle })
}

// unmet are the implications that runs evaluated and whose premise none of any scenario met.
func unmet(reports []*Report) []interp.InvariantCount {
	told := map[standing]bool{}
	for _, c := range append(idle(reports), unbreakable(reports)...) {
		told[standingOf(c)] = true
	}
	list := inAll(reports, func(r *Report) []interp.InvariantCount { return r.Unmet })
	return slices.DeleteFunc(list, func(c interp.InvariantCount) bool { return told[standingOf(c)] })
}

// inAll are the invariants that are left in the reports of all scenarios that have them.
func inAll(reports []*Report, of func(*Report) []interp.InvariantCount) []interp.InvariantCount {
	var list []interp.InvariantCount
	has, left := map[standing]int{}, map[standing]int{}
	for _, r := range reports {
		for _, c := range r.Base.Invariants {
			has[standingOf(c)]++
		}
		for _, c := range of(r) {
			if left[standingOf(c)]++; left[standingOf(c)] == 1 {
				list = append(list, c)
			}
		}
	}
	return slices.DeleteFunc(list, func(c interp.InvariantCount) bool { return left[standingOf(c)] < has[standingOf(c)] })
}

func (f *Find) deadlock() bool { return f.Oracle == "gate" && f.Name == "deadlock" }

// found counts the finds that are told of, also those that somebody knew.
func found(reports []*Report) (n int) {
	for _, r := range reports {
		n += len(r.Finds)
	}
	return n
}

// write tells of a find.
func (f *Find) write(b *strings.Builder, w *World) {
	head := "find "
	if f.Known {
		head = "known"
	}
	place := f.Range.Filename
	if f.Range.Start.Line > 0 { // a rule of this program is known by its name
		place += fmt.Sprintf(":%d", f.Range.Start.Line)
	}
	fmt.Fprintf(b, "%s  %s  %s, in %q\n", head, f.title(), place, w.Name)
	fmt.Fprintf(b, "       %s\n", f.Under())
	if f.Known {
		return
	}
	writeTimeline(b, f.Events, f.struck)
	if f.Oracle == KindModel {
		b.WriteString("       the model:\n")
		writeTimeline(b, f.Model, f.modelStruck)
	} else {
		for line := range strings.Lines(f.Message + "\n") {
			fmt.Fprintf(b, "       %s", line)
		}
	}
	f.writePlace(b)
}

// sameMistake reports whether two finds are one expression of the file, which several
// scenarios run.
func (f *Find) sameMistake(of *Find) bool {
	return isBroken(f.Oracle, f.Name) && !f.Known && !of.Known && f.key() == of.key()
}

// toldOf reports whether a find is an expression that was told of with an earlier scenario.
func (f *Find) toldOf(before []*Report) bool {
	return slices.ContainsFunc(before, func(r *Report) bool { return slices.ContainsFunc(r.Finds, f.sameMistake) })
}

// writeAlso names the other scenarios in which it is broken.
func (f *Find) writeAlso(b *strings.Builder, later []*Report) {
	for _, r := range later {
		if i := slices.IndexFunc(r.Finds, f.sameMistake); i >= 0 {
			fmt.Fprintf(b, "       in %q as well, under %s\n", r.World.Name, r.Finds[i].Set)
			r.Finds[i].writePlace(b)
		}
	}
}

// writePlace tells where the find was written, or why it was not.
func (f *Find) writePlace(b *strings.Builder) {
	if f.Emitted != "" {
		fmt.Fprintf(b, "       written: %s\n", f.Emitted)
	}
	if f.Unwritten != "" {
		fmt.Fprintf(b, "       not written: %s\n", f.Unwritten)
	}
}

// inWords says how much it is.
func (s Set) inWords() string {
	switch {
	case len(s) == 1 && (s[0].Wrong != "" || s[0].Fault != nil && s[0].Fault.Lies):
		return "one answer"
	case len(s) == 1 && s[0].Events != nil:
		return "one event"
	case len(s) == 2 && s.eventful() == 1:
		return "an event and a fault"
	case len(s) == 2 && s.eventful() == 2:
		return "two events"
	}
	return inWords(len(s))
}

// title says what a find is.
func (f *Find) title() string {
	switch f.Oracle {
	case "gate":
		return f.Name
	case KindModel:
		text := "differs from the model: " + f.Message
		if f.Of > 0 {
			text += fmt.Sprintf(" (%s of %s)", Grouped(f.Times), counted(f.Of, "run"))
		}
		return text
	}
	return fmt.Sprintf("%q", f.Name)
}

// Under says, in a line, under which faults it was found.
func (f *Find) Under() string {
	if len(f.Set) == 0 {
		return "no fault: nothing else is compared with the model. Without faults both must agree; --no-model compares nothing"
	}
	return f.Set.inWords() + ": " + f.Set.String()
}

func writeTimeline(b *strings.Builder, events []trace.Event, struck map[spot]bool) {
	for _, line := range timeline(events, struck) {
		fmt.Fprintf(b, "         %s\n", line)
	}
}

func inWords(k int) string {
	switch k {
	case 1:
		return "one fault"
	case 2:
		return "two faults"
	}
	return fmt.Sprintf("%d faults", k)
}

// timelineMax bounds the attempts that are shown of one run.
const timelineMax = 20

// timeline says when attempts began and how they ended. What was struck is marked: other
// faults are those of the scenario itself.
func timeline(events []trace.Event, struck map[spot]bool) []string {
	type attempt struct {
		step      string
		n         int
		iteration int
	}
	type beginning struct {
		at     time.Duration
		struck string
	}
	began, counted := map[attempt]beginning{}, map[spot]int{}
	var lines []string
	left := 0
	for i := range events {
		e := &events[i]
		at := attempt{e.Step, e.Attempt, e.Iteration}
		switch e.Type {
		case trace.AttemptStart:
			place := spot{address: e.Step, lane: e.Text("lane")}
			counted[place]++
			b := beginning{at: e.At}
			if struck[spot{place.address, place.lane, counted[place]}] {
				b.struck = "↯ "
			}
			began[at] = b
		case trace.AttemptEnd:
			if len(lines) == timelineMax {
				left++
				continue
			}
			lines = append(lines, fmt.Sprintf("%8s  %s  attempt %d at %s  %s%s", shown(began[at].at), e.Step, e.Attempt, e.Target, began[at].struck, ended(e)))
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("%8s  … %d more", "", left))
	}
	return lines
}

// shown is a time for people: one of a real clock is no more exact than that.
func shown(d time.Duration) time.Duration {
	if d%time.Microsecond != 0 {
		return d.Round(time.Millisecond)
	}
	return d
}

// ended says how an attempt ended.
func ended(e *trace.Event) string {
	text := e.Text("outcome")
	if kind := e.Text("kind"); kind != "" {
		text = kind
	}
	if code, ok := e.Attr("status_code").(int); ok {
		text = fmt.Sprint(code)
	}
	if fault := e.Text("fault_type"); fault != "" {
		text += " (" + fault + ")"
	}
	return text
}

// writeDeadlocks tells of runs that can wait for ever, once for each file.
func writeDeadlocks(b *strings.Builder, reports []*Report) {
	var files []string
	hint := "give the step a timeout or attempt_timeout, or its provider a timeout; or --except deadlock"
	places, finds, actors := map[string][]string{}, map[string][]*Find{}, false
	for _, r := range reports {
		for _, f := range r.Finds {
			if !f.deadlock() {
				continue
			}
			if f.Known {
				fmt.Fprintf(b, "known  deadlock  %s, in %q: %s\n", r.World.File, r.World.Name, strings.Join(f.Breaks, ", "))
				continue
			}
			if r.World.Program != nil {
				hint = "give the program's clients a deadline, such as http.Client.Timeout"
			}
			actors = actors || slices.ContainsFunc(f.Events, func(e trace.Event) bool { return e.Actor != "" })
			if finds[r.World.File] == nil {
				files = append(files, r.World.File)
			}
			finds[r.World.File] = append(finds[r.World.File], f)
			for _, p := range f.Breaks {
				if !slices.Contains(places[r.World.File], p) {
					places[r.World.File] = append(places[r.World.File], p)
				}
			}
		}
	}
	for _, file := range files {
		fmt.Fprintf(b, "find   deadlock  %s: %s\n", file, waitingFor(places[file]))
		for _, f := range finds[file] {
			f.writePlace(b)
		}
	}
	if actors {
		hint = strings.Replace(hint, "give the step", "give the call, handler or tool a timeout, or the step", 1)
	}
	if len(files) > 0 {
		b.WriteString("       hint: " + hint + "\n")
	}
}

// waitingFor says which calls can wait for ever, by what a deadlock is known by: the
// addresses of calls, of actors and of what outages strike, and events.
func waitingFor(places []string) string {
	var calls, others []string
	for _, p := range places {
		name, kind := p, &calls
		if i := strings.LastIndexByte(p, ' '); i >= 0 { // an outage or an event
			name, kind = p[i+1:], &others
		}
		if strings.HasPrefix(name, actorPrefix) {
			kind = &others
		}
		if !slices.Contains(*kind, name) {
			*kind = append(*kind, name)
		}
	}
	others = slices.DeleteFunc(others, func(name string) bool { return slices.Contains(calls, name) })
	waits := "whoever waits for " + strings.Join(others, ", ")
	if len(calls) == 0 {
		return waits + " can wait for ever"
	}
	text := counted(len(calls), "call") + " can wait for ever: " + strings.Join(calls, ", ")
	if len(others) > 0 {
		text += "; and " + waits
	}
	return text
}

// actorPrefix begins the address of an actor.
const actorPrefix = "actor."

// write tells what a run does not survive.
func (v *Survival) write(b *strings.Builder) {
	if v.Tried == 0 {
		return
	}
	if v.Lost == 0 {
		fmt.Fprintf(b, "\nrun.status stayed \"success\" under all of %s", counted(v.Tried, "single fault"))
	} else {
		fmt.Fprintf(b, "\nnot survived: %d of %d single faults", v.Lost, v.Tried)
	}
	if v.Degraded > 0 {
		fmt.Fprintf(b, "; %d degraded: success with another output or a failed step", v.Degraded)
	}
	b.WriteString("\n")
	width := 0
	for _, p := range v.Places {
		width = max(width, len(p.Address))
	}
	for _, p := range v.Places {
		for _, status := range slices.Sorted(maps.Keys(p.Kinds)) {
			fmt.Fprintf(b, "  %-*s  %s: %s\n", width, p.Address, status, p.list(status))
		}
	}
	if v.Degraded > 0 {
		b.WriteString("  degraded is no find: where such an output is wrong, say so in an invariant (scenario help language)\n")
	}
	if s := v.Slowest; s != nil {
		fmt.Fprintf(b, "slowest: %s: %s (%s without a fault)\n", s.Set, shown(s.Time), shown(s.TimeBase))
	}
	if d := v.Dearest; d != nil {
		fmt.Fprintf(b, "dearest: %s: $%.2f ($%.2f without a fault)\n", d.Set, d.Cost, d.CostBase)
	}
}

// listMax bounds the kinds that are listed of one address.
const listMax = 12

// list names what is not survived at an address.
func (p *Place) list(status string) string {
	kinds := p.Kinds[status]
	if len(kinds) == p.Tried {
		return fmt.Sprintf("all %d that were tried", p.Tried)
	}
	if len(kinds) > listMax {
		return strings.Join(kinds[:listMax], ", ") + fmt.Sprintf(", … %d more", len(kinds)-listMax)
	}
	return strings.Join(kinds, ", ")
}

// Sum adds up what several searches tried.
func Sum(reports []*Report) Account {
	var t Account
	for _, r := range reports {
		a := &r.Account
		t.Runs, t.Behaviours, t.Merged, t.Shrinking = t.Runs+a.Runs, t.Behaviours+a.Behaviours, t.Merged+a.Merged, t.Shrinking+a.Shrinking
		t.Unfit, t.Unanswered, t.Undecided = t.Unfit+a.Unfit, t.Unanswered+a.Unanswered, t.Undecided+a.Undecided
		t.Diverged, t.Rechecks = t.Diverged+a.Diverged, t.Rechecks+a.Rechecks
		t.Bases += a.Bases
		t.Beyond += a.Beyond
		t.Missed, t.Void = t.Missed+a.Missed, t.Void+a.Void
		for i, l := range a.Levels {
			if i == len(t.Levels) {
				t.Levels = append(t.Levels, Level{})
			}
			t.Levels[i].Sets += l.Sets
			t.Levels[i].Tried += l.Tried
		}
		t.Open = append(t.Open, a.Open[:min(len(a.Open), openMax-len(t.Open))]...)
		for _, m := range a.Unanswerable {
			if len(t.Unanswerable) < 3 && !slices.Contains(t.Unanswerable, m) {
				t.Unanswerable = append(t.Unanswerable, m)
			}
		}
	}
	return t
}

// write tells what was tried, and what was not.
func (a *Account) write(b *strings.Builder, o Options, finds int) {
	nothing := "nothing found"
	if finds > 0 {
		nothing = "nothing else found"
	}
	count := a.Runs - a.Void
	switch {
	case a.Void > 0 && count <= a.Bases:
		fmt.Fprintf(b, "\nnothing is known of any fault: all %s were made when the program may not have been what it was", counted(a.Void, "run"))
	case a.Void > 0:
		fmt.Fprintf(b, "\n%s among the %s of %s in which the program was what it was", nothing, Grouped(count), counted(a.Runs, "run"))
	default:
		fmt.Fprintf(b, "\n%s among %s", nothing, counted(a.Runs, "run"))
	}
	if a.Behaviours > 0 {
		fmt.Fprintf(b, " (%s)", counted(a.Behaviours, "behaviour"))
	}
	if a.Diverged > 0 {
		fmt.Fprintf(b, ", %s of them diverged", Grouped(a.Diverged))
	}
	if tried := a.progress(o); tried != "" {
		b.WriteString(": " + tried)
	}
	b.WriteString(".")
	var left []string
	if o.MaxK < 2 {
		left = append(left, "pairs (--max-k 2)")
	}
	if a.Beyond > 0 {
		left = append(left, "about "+Grouped(rounded(a.Beyond))+" triples")
	}
	left = append(left, "larger sets, pairs with delays")
	if slices.Contains(o.Except, KindWrong) {
		left = append(left, "wrong answers")
	}
	fmt.Fprintf(b, "\nNot tried: %s.", strings.Join(left, ", "))
	for _, n := range []struct {
		n    int
		what string
	}{{a.Unfit, "do not apply"}, {a.Unanswered, "unanswered"}, {a.Undecided, "undecided"}} {
		if n.n > 0 {
			fmt.Fprintf(b, " %s %s.", Grouped(n.n), n.what)
		}
	}
	if a.Missed > 0 {
		fmt.Fprintf(b, " %s of the diverged met no fault, and were not tried.", Grouped(a.Missed))
	}
	b.WriteString("\n")
	for _, m := range a.Unanswerable {
		first, more, _ := strings.Cut(m, "\n")
		fmt.Fprintf(b, "  unanswered: %s\n", first)
		if i := strings.Index(more, "hint: "); i >= 0 {
			hint, _, _ := strings.Cut(more[i:], "\n")
			fmt.Fprintf(b, "              %s\n", hint)
		}
	}
	for _, set := range a.Open {
		fmt.Fprintf(b, "  undecided: %s\n", set)
	}
	if left := a.Undecided - len(a.Open); left > 0 && len(a.Open) > 0 {
		fmt.Fprintf(b, "  undecided: … %s more\n", Grouped(left))
	}
}

// rounded is a number to two digits.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// progress says how many sets of each size were tried, of how many.
func (a *Account) progress(o Options) string {
	var tried []string
	for i, l := range a.Levels {
		what := "single faults, outages, delays, events and wrong answers"
		if slices.Contains(o.Except, KindWrong) {
			what = "single faults, outages, delays and events"
		}
		if i == 1 {
			what = "pairs"
		}
		if l.Sets == 0 {
			continue // no point comes after a first fault
		}
		if l.Tried == l.Sets {
			tried = append(tried, fmt.Sprintf("all %s %s", Grouped(l.Sets), what))
			continue
		}
		tried = append(tried, fmt.Sprintf("%s of %s %s", Grouped(l.Tried), Grouped(l.Sets), what))
	}
	return strings.Join(tried, ", ")
}

// unfinished reports whether a search ended before it had tried everything, because its
// runs or its time were used up or somebody ended it.
func unfinished(reports []*Report, o Options) bool {
	return slices.ContainsFunc(reports, func(r *Report) bool {
		return !r.Account.Complete() && (r.Interrupted || r.Account.Runs >= o.Runs)
	})
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Grouped(n) + " " + what + "s"
}

// Grouped writes a number with commas.
func Grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// WritePoints writes the points of a world's run without a fault, and what a search
// would strike them with.
func WritePoints(w io.Writer, world *World, o Options) error {
	points, base := world.bare()
	numbers := figuresOf(world.Plan)
	s := &search{Options: &o, world: world, figures: numbers, catalogue: catalogueOf(world, &o, numbers, base.Events), cast: castOf(world.Plan, numbers, base.Events)}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d %q\n", world.File, world.Line, world.Name)
	for i := range points {
		p := &points[i]
		if !s.strikes(p.Address) {
			continue
		}
		where := fmt.Sprintf("%s, attempt %d", p.Address, p.N)
		if p.Target != "" {
			where += " at " + p.Target
		}
		var kinds []string
		for _, x := range s.catalogue.at(p) {
			kinds = append(kinds, x.What())
		}
		for _, x := range s.wrongAt(p) {
			kinds = append(kinds, x.What())
		}
		fmt.Fprintf(&b, "  %8s  %s: %s\n", shown(p.At), where, strings.Join(kinds, ", "))
	}
	var lasting []string
	for i := range points {
		if p := &points[i]; s.strikes(p.Address) {
			for _, o := range s.outages(p) {
				lasting = append(lasting, o.String())
			}
		}
	}
	var happen []string
	for _, set := range s.events(instantsOf(base.Events)) {
		happen = append(happen, set.String())
	}
	for _, more := range []struct {
		what string
		list []string
	}{{"outages", distinct(lasting)}, {"events", distinct(happen)}} {
		if len(more.list) > 0 {
			fmt.Fprintf(&b, "  %s: %s\n", more.what, strings.Join(more.list, "; "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// distinct drops what comes again.
func distinct(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(text string) bool {
		again := seen[text]
		seen[text] = true
		return again
	})
}
