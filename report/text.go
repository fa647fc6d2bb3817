package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// Text writes results for people: a line for each file, below it what did not
// pass and why, and last the counts. A file's lines are written at once when
// its last scenario is known.
func Text(w io.Writer, opts Options) Reporter { return &text{w: w, opts: opts} }

// Words are what the text for people says of one scenario, "" of one that holds unless
// opts is verbose.
func Words(e Entry, opts Options) string {
	if opts.Plain {
		e = e.plain()
	}
	t := &text{opts: opts}
	t.scenario(&e)
	return t.lines.String()
}

type text struct {
	w    io.Writer
	opts Options

	// file is the one whose scenarios are being added, counts their verdicts
	// and lines what will be shown below its own line.
	file   string
	counts Summary
	lines  bytes.Buffer
	// allowed are the gates that its scenarios broke and allow, and left out says
	// how many of them were skipped on purpose for each reason, in their order.
	allowed []string
	// explained are the messages of checks that show nothing or were not made and are told.
	explained []string
	leftOut   []leftOut
	// cached counts those of them that an earlier run came to.
	cached int
	// reached says that the suite came to at least one of them.
	reached bool
	// dropped is what the suite did not come to, told in a line at the end.
	dropped dropped
	// noParts are the limits of the file, where each scenario is shown.
	noParts noParts
	// benches are those of the suite, for a table of several.
	benches benchTable
}

func (t *text) Add(e Entry) error {
	if t.opts.Plain {
		e = e.plain()
	}
	if file := e.Result.Plan.File; file != t.file {
		if err := t.endFile(); err != nil {
			return err
		}
		t.file = file
	}
	if e.Dropped && !t.opts.Verbose {
		t.dropped.add(&e)
	} else {
		t.reached = true
	}
	t.counts.Add(e.Result)
	if e.Cached {
		t.cached++
	}
	if t.opts.Scores {
		t.benches.add(&e)
	}
	if !e.Dropped || t.opts.Verbose {
		t.scenario(&e)
	}
	if t.opts.Verbose {
		t.noParts.add(e.Result)
	}
	return nil
}

func (t *text) Invalid(d Diagnostic) error {
	if err := t.endFile(); err != nil {
		return err
	}
	if t.opts.Plain {
		d.File, d.Summary, d.Detail = asciiOf(d.File), asciiOf(plainMarks.Replace(d.Summary)), asciiOf(plainMarks.Replace(d.Detail))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s", t.verdict(interp.Error), t.paint(bold, safe(d.Summary)))
	if at := d.place(""); at != "" {
		b.WriteString("  " + safe(at))
	}
	b.WriteByte('\n')
	indented(&b, d.Detail)
	return t.write(b.String())
}

func (t *text) Close(s Summary) error {
	if err := t.endFile(); err != nil {
		return err
	}
	for _, line := range t.dropped.lines() {
		if err := t.write(t.paint(yellow, line) + "\n"); err != nil {
			return err
		}
	}
	if table := t.benches.String(); table != "" && !t.opts.Quiet {
		if err := t.write(table); err != nil {
			return err
		}
	}
	line := s.counts()
	if t.opts.Wall && s.Wall > 0 && !t.opts.Live {
		line += " in " + real(s.Wall)
	}
	if !t.opts.Scores {
		line += " (" + t.took(s.Virtual) + ")"
	}
	return t.write(t.paint(summaryColor(s), line) + "\n")
}

// write writes some lines at once.
func (t *text) write(s string) error {
	if t.opts.Plain {
		s = plainText(s)
	}
	_, err := io.WriteString(t.w, s)
	return err
}

func summaryColor(s Summary) string {
	switch s.Status() {
	case interp.Pass:
		return green
	case interp.Skip, interp.Done:
		return yellow
	}
	return red
}

// endFile writes what was collected of one file.
func (t *text) endFile() error {
	defer func() {
		t.counts, t.reached = Summary{}, false
		t.allowed, t.explained, t.leftOut, t.cached, t.noParts = nil, nil, nil, 0, noParts{}
		t.lines.Reset()
	}()
	status := t.counts.Status()
	bad := status == interp.Fail || status == interp.Error
	if t.counts.Total() == 0 || t.opts.Quiet && !bad || !t.reached {
		return nil
	}
	head := fmt.Sprintf("%s %s  %s\n", t.verdict(status), safe(t.file), t.paint(dim, t.tally()))
	for _, s := range t.leftOut {
		fmt.Fprintf(&t.lines, "    %s\n", t.paint(yellow, s.line()))
	}
	if !bad {
		t.noParts.write(&t.lines, func(line string) string { return t.paint(yellow, line) })
	}
	return t.write(head + t.lines.String())
}

// tally says in a few words what became of a file's scenarios.
func (t *text) tally() string {
	c := &t.counts
	noun := "scenario"
	if t.opts.Scores {
		noun = "bench"
	}
	s := count(c.Total(), noun)
	for _, part := range []struct {
		n    int
		word string
	}{{c.Failed, "failed"}, {c.Errored, "errored"}, {c.Skipped, "skipped"}, {c.Done, "done"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.word)
		}
	}
	if t.opts.Scores {
		return s // how long programs took is no result
	}
	s += ", " + t.took(c.Virtual)
	if len(t.allowed) > 0 {
		s += ", allowed: " + safe(strings.Join(t.allowed, ", "))
	}
	if t.opts.Wall && t.cached > 0 { // a file is kept as a whole
		s += " (cached)"
	}
	return s
}

// A leftOut is why scenarios of a file were skipped on purpose: n of them, of which
// the first is named.
type leftOut struct {
	reason, first string
	n             int
}

func (s *leftOut) line() string {
	if s.n == 1 {
		return "skipped: " + s.first + ", " + s.reason
	}
	return fmt.Sprintf("skipped: %d scenarios, %s", s.n, s.reason)
}

// scenario collects the lines of one scenario.
func (t *text) scenario(e *Entry) {
	r, b := e.Result, &t.lines
	scored := r.Bench != nil && t.opts.Scores && !t.opts.Quiet
	if bad := r.Verdict == interp.Fail || r.Verdict == interp.Error; !bad && !t.opts.Verbose && !scored {
		t.skipped(e)
		t.relaxed(b, e)
		return
	}
	fmt.Fprintf(b, "  %s %q  %s\n", t.verdict(r.Verdict), e.name(), t.paint(dim, t.aside(e)))
	t.relaxed(b, e)
	first, consequences := byCause(r.Problems)
	if t.opts.Verbose {
		first, consequences = r.Problems, nil
	}
	for rest := first; len(rest) > 0; {
		n := alike(rest)
		t.writeProblem(b, e, &rest[0])
		t.writeAlike(b, e, rest[1:n])
		rest = rest[n:]
		t.writeConsequences(b, e, consequences)
		consequences = nil // they are the first one's
	}
	t.program(b, r)
	if r.Bench != nil && (t.opts.Scores || t.opts.Verbose) {
		t.bench(b, r.Bench)
		return
	}
	if t.opts.Verbose {
		for _, line := range evaluations(r) {
			fmt.Fprintf(b, "    %s\n", t.paint(dim, safe(line)))
		}
		t.writeChart(b, newPicture(r.Events, r.Virtual))
		writeTimeline(b, r.Events)
		t.unread(b, r)
	}
}

// unreadShown bounds the lines of what no check reads.
const unreadShown = 24

// unread lists the parts of requests that no check reads, those of one request in a line.
func (t *text) unread(b *bytes.Buffer, r *interp.Result) {
	if len(r.Unread) == 0 {
		return
	}
	var lines []string
	for _, part := range r.Unread {
		request, name, _ := strings.Cut(part, ": ")
		if n := len(lines) - 1; n >= 0 && name != "" && strings.HasPrefix(lines[n], request+": ") {
			lines[n] += ", " + name
			continue
		}
		lines = append(lines, part)
	}
	fmt.Fprintf(b, "    %s\n", t.paint(dim, "no check tells these from something else:"))
	for i, line := range lines {
		if i == unreadShown {
			fmt.Fprintf(b, "      %s\n", t.paint(dim, fmt.Sprintf("and %d more", len(lines)-i)))
			break
		}
		fmt.Fprintf(b, "      %s\n", t.paint(dim, safe(line)))
	}
}

// program tells how the program under test ended, and what it said last where the
// scenario did not pass.
func (t *text) program(b *bytes.Buffer, r *interp.Result) {
	line, said := programEnd(r)
	if line == "" {
		return
	}
	fmt.Fprintf(b, "    %s\n", t.paint(dim, safe(line)))
	for _, l := range said {
		fmt.Fprintf(b, "      %s\n", safe(l))
	}
}

// aside is what a scenario's line says after its name.
func (t *text) aside(e *Entry) string {
	r := e.Result
	at := fmt.Sprintf("%s:%d", safe(r.Plan.File), r.Plan.Line)
	if r.Verdict == interp.Skip {
		if e.Reason == "" {
			return at
		}
		return at + ", " + safe(e.Reason)
	}
	if r.Bench != nil && t.opts.Scores {
		return at
	}
	checks := fmt.Sprintf("%d checks", r.Checks)
	if r.Checks == 1 {
		checks = "1 check"
	}
	return fmt.Sprintf("%s, %s, %s", at, checks, t.took(r.Virtual))
}

// took says how long runs lasted, and on which clock.
func (t *text) took(d time.Duration) string {
	if t.opts.Live {
		return "in " + virtual(d)
	}
	return "virtual " + virtual(d)
}

// skipped notes why a scenario was left out on purpose: nobody is to take the
// count alone for an accident.
func (t *text) skipped(e *Entry) {
	r := e.Result
	if r.Verdict != interp.Skip || e.Reason == "" {
		return
	}
	reason := safe(e.Reason)
	i := slices.IndexFunc(t.leftOut, func(s leftOut) bool { return s.reason == reason })
	if i < 0 {
		i = len(t.leftOut)
		t.leftOut = append(t.leftOut, leftOut{reason: reason, first: fmt.Sprintf("%q  %s:%d", e.name(), safe(r.Plan.File), r.Plan.Line)})
	}
	t.leftOut[i].n++
}

// relaxed says which gates were broken and allowed, and which checks were not
// made: a green that leans on either has to say so.
func (t *text) relaxed(b *bytes.Buffer, e *Entry) {
	for i := range e.Result.Relaxed {
		p := &e.Result.Relaxed[i]
		if !t.opts.Verbose && p.Kind == "gate" {
			if !slices.Contains(t.allowed, p.Name) {
				t.allowed = append(t.allowed, p.Name)
			}
			continue
		}
		file, line := place(e.Result, p)
		fmt.Fprintf(b, "    %s\n", t.paint(yellow, fmt.Sprintf("%s: %s in %q  %s:%d", p.Tells(), safe(p.Name), e.name(), safe(file), line)))
		first := (p.Kind == interp.KindUnseen || p.Kind == interp.KindNothing || p.Kind == interp.KindElsewhere) && !slices.Contains(t.explained, p.Message)
		if t.opts.Verbose || first {
			indented(b, p.Message)
		}
		if first {
			t.explained = append(t.explained, p.Message)
		}
	}
}

// noParts brings together what the scenarios of a file say of its limits on how much there may be of
// something, in the order in which they came. Its zero value has seen no scenario.
type noParts struct {
	list []interp.Setting
	at   map[limited]int
}

// A limited is one setting of a file.
type limited struct{ of, name, value string }

// add notes what became of them in a run that passed. One that failed may have ended before anything came.
func (n *noParts) add(r *interp.Result) {
	if r.Verdict != interp.Pass || r.Bench != nil {
		return
	}
	for _, s := range r.Settings {
		key := limited{s.Of, s.Name, s.Value}
		if s.Name == "" { // what several things have in common, and the place of a failure
			key.value = ""
		}
		i, seen := n.at[key]
		if !seen {
			if n.at == nil {
				n.at = map[limited]int{}
			}
			n.at[key], n.list = len(n.list), append(n.list, s)
			continue
		}
		l := &n.list[i]
		if s.Near && !l.Near {
			l.Value, l.Why, l.Hint = s.Value, s.Why, s.Hint
		}
		l.Near, l.Part, l.Alike = l.Near || s.Near, l.Part || s.Part, max(l.Alike, s.Alike)
	}
}

// write tells of those that a run came near to, and that had a part in none: once of each place that they name. Of
// things of one kind it does so only where some run has several.
func (n *noParts) write(b *bytes.Buffer, paint func(string) string) {
	places := map[string]bool{}
	for _, s := range n.list {
		switch {
		case !s.Near || s.Part:
		case s.Name == "":
			if s.Alike != 1 && !places[s.Value] {
				places[s.Value] = true
				fmt.Fprintf(b, "    %s\n", paint(safe(s.Why+"  "+s.Value)))
				indented(b, "hint: "+s.Hint)
			}
		default:
			fmt.Fprintf(b, "    %s\n", paint(safe(fmt.Sprintf("no part in any scenario: %s = %s of the %s: %s", s.Name, s.Value, s.Of, s.Why))))
			indented(b, fmt.Sprintf("%s all would be the same, so no check shows what it is.\nhint: %s", s.Else, s.Hint))
		}
	}
}
