package mutate

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// A Host is a scenario file with the scenarios of it that are run.
type Host struct {
	*suite.File
	Plans []*interp.Plan
}

// Options say what is tried.
type Options struct {
	// Compile compiles a scenario file where the texts take the place of those of
	// files, by the names that these have. It is safe for concurrent use, and must
	// compile all scenarios of the host.
	// The texts may be of files that expressions read, too.
	Compile func(path string, texts map[string][]byte) *suite.File
	// Read is the text of a file that expressions read, by its path as the paths of hosts
	// are. Nil leaves such files as they are.
	Read func(path string) ([]byte, error)
	// Only are the names of the operators that are used, all where it is empty.
	Only []string
	// K is the largest set of faults, 1 or 2, under which a mutant that no scenario
	// meets is held against the original, and Runs how many runs that may take for
	// each; 0 for none.
	K, Runs int
	// Data is how many mutants are tried at most of those that are about data; 0 for all.
	Data int
	// Parallel is how many mutants are tried at one time.
	Parallel int
	// Done ends everything once it is closed; nil for never.
	Done <-chan struct{}
	// Progress is told how many mutants of how many were tried; nil for nobody. It is
	// called by one goroutine at a time.
	Progress func(done, all int)
}

// A Verdict is what a suite made of a mutant.
type Verdict string

// The verdicts.
const (
	Killed     Verdict = "killed"     // a scenario is red
	Survived   Verdict = "survived"   // a trace differs, and all scenarios are green
	Unseen     Verdict = "unseen"     // all traces are equal, and differ under faults, or none was tried
	Equivalent Verdict = "equivalent" // all traces are equal, under faults too
	Unshown    Verdict = "unshown"    // all traces are equal, and only other data may show it
	Unread     Verdict = "unread"     // no scenario reads the declaration
	Invalid    Verdict = "invalid"    // it does not compile
)

// A Mutant is a file with one declaration weakened.
type Mutant struct {
	Operator string
	// Declaration names the block, and Change says what is changed in it.
	Declaration, Change string
	File                string
	Line                int
	Range               hcl.Range
	// Original is the text of the file without the change.
	Original []byte
	Verdict  Verdict
	// By is the scenario that shows it: that is red, whose trace differs, or that
	// differs under faults. It is nil where none does, and of an unseen mutant that was
	// not tried under faults.
	By *interp.Plan
	// Check is the kind and the name of what is red, such as an assert. Why is why it
	// is invalid.
	Check, Why string
	// Difference is the first one of the traces, of a mutant that survived.
	Difference *Difference
	// Shown are the faults under which an unseen mutant differs.
	Shown explore.Set
	// Tried are the runs beside the original, and All that no set of faults is left.
	Tried int
	All   bool
	// Emitted is the file that shows an unseen mutant, and Unwritten why there is none;
	// both are "" where nobody asked for one.
	Emitted, Unwritten string

	// Data says that no fault shows the mutant, only other answers and other inputs may.
	Data bool
	// Overridden says of one that is unread that scenarios bring their own in the place of
	// what is changed.
	Overridden bool

	// own says that a file with scenarios declares what is changed, and names it.
	own   bool
	order int
	keeps string
	// part says that it lies within a call that another mutant leaves out.
	part bool
	// places are where a mutant of several places changes something, and cuts what: it keeps no text between them.
	places []hcl.Range
	cuts   []change
	// parts are the single mutants that one of several makes at once.
	parts []*Mutant
	// misfit says that the part that is taken has another type than the whole: it is neither listed nor counted.
	misfit bool
	// elsewhere says that it takes a value from elsewhere.
	elsewhere bool
	// headers says that it changes the value of a header, which counts although no check reads one.
	headers bool
	// bench says that it is about a bench, whose report the trace does not have.
	bench bool
	// with stands in the mutant from byte from to byte to of the original: a large file has
	// many mutants.
	from, to int
	with     []byte
	// shown is the scenario that differs under faults, of an unseen mutant.
	shown *reading
}

// of is the mutant whose text is this one.
func (m Mutant) of(text []byte) *Mutant {
	n := min(len(text), len(m.Original))
	for m.from < n && text[m.from] == m.Original[m.from] {
		m.from++
	}
	end := 0
	for end < n-m.from && text[len(text)-1-end] == m.Original[len(m.Original)-1-end] {
		end++
	}
	m.to, m.with = len(m.Original)-end, bytes.Clone(text[m.from:len(text)-end])
	return &m
}

// Text is the file with the change.
func (m *Mutant) Text() []byte {
	if m.cuts != nil {
		return cutOut(m.Original, m.cuts)
	}
	return spliced(m.Original, m.from, m.to, string(m.with))
}

// A Report is what became of all mutants.
type Report struct {
	// Mutants are in the order of their operators, files and lines.
	Mutants []*Mutant
	// Broken are the runs of scenarios that do not pass without a mutation. They kill
	// nothing.
	Broken []*interp.Result
	// Scenarios counts those that passed.
	Scenarios int
	// Left is how many mutants about data were left out, because there are more than
	// Options.Data.
	Left int
	// Alike are rows of scenarios that run the same.
	Alike []*Alike
	// Unlooked are the blocks that no operator looks at, and the modules of the standard library that are imported: the
	// score says nothing of them.
	Unlooked []string
	// Unchanged are the functions of expressions and of programs of jq that no mutant changes. It is empty where only some
	// operators are used.
	Unchanged []string
	// Interrupted says that not all mutants were tried; they have no verdict.
	Interrupted bool
}

// Count is how many mutants have a verdict.
func (r *Report) Count(v Verdict) (n int) {
	for _, m := range r.Mutants {
		if m.Verdict == v {
			n++
		}
	}
	return n
}

// Score is how many mutants the suite kills, of how many that can be told from the
// original.
func (r *Report) Score() (killed, of int) {
	killed = r.Count(Killed)
	return killed, killed + r.Count(Survived) + r.Count(Unseen)
}

// Percent is the score of 100, rounded down to a tenth; 100 where no mutant counts.
func (r *Report) Percent() float64 {
	killed, of := r.Score()
	if of == 0 {
		return 100
	}
	return float64(1000*killed/of) / 10
}

// A unit is a file of declarations with the scenario files that have them.
type unit struct {
	path   string
	source []byte
	hosts  []*Host
	// data says that expressions of the hosts read its text, which declares nothing.
	data bool
	// shared says of such a text that both the program of a host and a check of it read it.
	shared bool
	// both are the locals that both the program of a host and a check of it read, and read those that the program reads.
	both, read map[string]bool
	// placed are the changes of what has a role in the program of a host, such as a schema, and known says which.
	placed []placed
	known  map[placed]bool
	// programs are the programs of jq in it, and sites and locals what its mutants are made in.
	programs      []*document
	sites, locals []*site
}

// units are the files that hosts consist of, in the order of their names, without those
// of the standard library.
func units(hosts []*Host) []*unit {
	var list []*unit
	add := func(path string, source []byte, h *Host) {
		i := slices.IndexFunc(list, func(u *unit) bool { return u.path == path })
		if i < 0 {
			i, list = len(list), append(list, &unit{path: path, source: source})
		}
		list[i].hosts = append(list[i].hosts, h)
	}
	for _, h := range hosts {
		add(h.Path, h.Source, h)
		for _, in := range h.Imports {
			if suite.IsScenario(in.Path) {
				add(in.Path, in.Source, h)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *unit) int { return cmp.Compare(a.path, b.path) })
	return list
}

// mutants are all of a file.
func (u *unit) mutants(only []string) []*Mutant {
	var list []*Mutant
	var file *dsl.File
	var sites, locals []*site
	if !u.data {
		var diags hcl.Diagnostics
		if file, diags = dsl.Parse(u.path, u.source); diags.HasErrors() {
			return nil
		}
		if len(u.hosts) == 0 {
			u.note(nil, worldOf([]*dsl.File{file}))
		}
		sites = sitesOf(file)
		near := sync.OnceValue(func() *members { return u.members(file) })
		locals = localsOf(file, u.read)
		for _, s := range slices.Concat(sites, locals) {
			s.near = near
		}
		u.sites, u.locals = sites, locals
	}
	for i, op := range operators {
		if len(only) > 0 && !slices.Contains(only, op.Name) {
			continue
		}
		var made []*Mutant
		switch {
		case op.Name == "value" && u.data && u.shared:
			made = u.texts()
		case op.Name == "value" && !u.data:
			made = u.values(file)
		case op.Name == ofEach && !u.data:
			made = u.moved(file, sites)
		case op.Name == "everywhere":
			made = u.everywhere(sites, locals)
		case op.Name == "element":
			made = u.byPlace(sites, locals)
		}
		for i, s := range slices.Concat(sites, locals) {
			if op.edits == nil || i >= len(sites) && !op.data {
				break
			}
			for _, e := range op.changes(s) {
				made = append(made, Mutant{Declaration: s.name(), Change: e.what, File: u.path, Line: e.rng.Start.Line, Range: e.rng, Original: u.source, keeps: e.keeps, part: e.part, places: e.places}.of(e.text))
			}
		}
		for _, p := range u.placed {
			if p.operator == op.Name || p.operator == alone && op.Name == "data" && !u.both[strings.TrimPrefix(p.declaration, "local.")] {
				made = append(made, Mutant{Declaration: p.declaration, Change: p.what, File: u.path, Line: p.rng.Start.Line, Range: p.rng, Original: u.source, keeps: p.keeps}.of(spliced(u.source, p.from, p.to, p.with)))
			}
		}
		for _, m := range made {
			m.bench = ofBench(m.Declaration)
			m.Operator, m.Data, m.order = op.Name, op.data || m.bench, i
		}
		list = append(list, made...)
	}
	return list
}

// Run tries every mutant of the files of hosts.
func Run(hosts []*Host, o Options) *Report {
	o.Parallel = max(1, o.Parallel)
	r := &runner{Options: &o, report: &Report{Unlooked: unlookedOf(hosts)}}
	r.play(hosts)
	r.report.Alike = r.alike(hosts)
	all := r.shared(units(hosts), hosts)
	lists := make([][]*Mutant, len(all))
	for i, u := range all {
		lists[i] = append(u.mutants(o.Only), r.origins(u)...)
	}
	r.choose(lists)
	overridden := overridesOf(all)
	for i, u := range all {
		r.judgeAll(u, lists[i])
		lists[i] = slices.DeleteFunc(lists[i], func(m *Mutant) bool {
			return m.misfit || (m.Operator == partial || m.Operator == ofEach || m.elsewhere) && m.Verdict == Invalid
		})
		if more := r.atOnce(u, lists[i]); len(more) > 0 {
			r.all += len(more)
			r.judgeAll(u, more)
			lists[i] = append(lists[i], news(more)...)
		}
		for _, m := range lists[i] {
			if m.Verdict == Unread {
				overridden.note(m)
			}
		}
		if len(r.Only) == 0 && r.Data == 0 {
			r.report.Unchanged = append(r.report.Unchanged, u.unchanged(lists[i])...)
		}
		r.report.Mutants = append(r.report.Mutants, together(lists[i])...)
	}
	slices.Sort(r.report.Unchanged)
	r.report.Unchanged = slices.Compact(r.report.Unchanged)
	slices.SortStableFunc(r.report.Mutants, func(a, b *Mutant) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	r.report.Interrupted = r.ended()
	return r.report
}

// choose leaves in the mutants of files those that are tried. Of those about data there are
// no more than Options.Data in all: one of each declaration by each operator, then a second
// one, and so on, so that none has all because it comes first.
func (r *runner) choose(lists [][]*Mutant) {
	type group struct {
		file, order int
		declaration string
	}
	nth := map[*Mutant]int{}
	var data []*Mutant
	count := map[group]int{}
	for i, list := range lists {
		for _, m := range list {
			if m.Data {
				g := group{i, m.order, m.Declaration}
				nth[m] = count[g]
				count[g]++
				data = append(data, m)
			}
		}
	}
	if r.Data > 0 && len(data) > r.Data {
		slices.SortStableFunc(data, func(a, b *Mutant) int { return cmp.Compare(nth[a], nth[b]) })
		for _, m := range data[r.Data:] {
			delete(nth, m)
		}
		r.report.Left = len(data) - r.Data
	}
	for i, list := range lists {
		lists[i] = slices.DeleteFunc(list, func(m *Mutant) bool { _, is := nth[m]; return m.Data && !is })
		r.all += len(lists[i])
	}
}

// A runner is one call of Run.
type runner struct {
	*Options
	report *Report
	bases  map[*interp.Plan]*base
	mu     sync.Mutex
	done   int
	all    int
}

// A base is a scenario without a mutation.
type base struct {
	plan     *interp.Plan
	result   *interp.Result
	compare  explore.Comparison
	once     sync.Once
	explored *explore.Reference
}

func (r *runner) ended() bool {
	select {
	case <-r.Done:
		return true
	default:
		return false
	}
}

// each calls f for 0 to n-1, several at one time.
func (r *runner) each(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(r.Parallel, n) {
		wg.Go(func() {
			for i := range next {
				if !r.ended() {
					f(i)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// play runs all scenarios without a mutation.
func (r *runner) play(hosts []*Host) {
	var plans []*interp.Plan
	for _, h := range hosts {
		plans = append(plans, h.Plans...)
	}
	list := make([]*base, len(plans))
	r.each(len(plans), func(i int) {
		list[i] = &base{plan: plans[i], result: interp.Run(plans[i], interp.RunOptions{Done: r.Done})}
	})
	r.bases = map[*interp.Plan]*base{}
	for _, b := range list {
		switch {
		case b == nil || b.result.Interrupted:
		case b.result.Verdict == interp.Pass:
			b.compare = compared(b.plan)
			r.bases[b.plan] = b
			r.report.Scenarios++
		default:
			r.report.Broken = append(r.report.Broken, b.result)
		}
	}
}

// judgeAll tries the mutants of a file.
func (r *runner) judgeAll(u *unit, list []*Mutant) {
	r.each(len(list), func(i int) {
		r.judge(u, list[i])
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.done++; r.Progress != nil {
			r.Progress(r.done, r.all)
		}
	})
	for _, h := range u.hosts { // they are large, and of no use to other files
		for _, p := range h.Plans {
			if b := r.bases[p]; b != nil && b.explored != nil {
				b.explored.Close()
				b.explored, b.once = nil, sync.Once{}
			}
		}
	}
}

// A reading is a scenario that reads what a mutant weakens, with it.
type reading struct {
	*base
	compare explore.Comparison
	host    *Host
	mutant  *interp.Plan
	result  *interp.Result
}

// judge finds out what becomes of a mutant.
func (r *runner) judge(u *unit, m *Mutant) {
	var readings []*reading
	var differs *reading
	for _, h := range u.hosts {
		list, ok := r.readings(h, m)
		if !ok {
			return
		}
		for _, x := range list {
			x.result = interp.Run(x.mutant, interp.RunOptions{Done: r.Done})
			if x.result.Interrupted {
				return
			}
			if x.result.Verdict != interp.Pass {
				m.killed(x)
				m.misfit = m.Operator == partial && !fitting(x, m, interp.RunOptions{Done: r.Done})
				return
			}
			_, _, equal := x.compare.Differ(x.base.result.Events, x.result.Events)
			equal = equal && !(m.bench && otherReport(x))
			if !equal && differs == nil {
				differs = x
			} else {
				x.result = nil
			}
			readings = append(readings, x)
		}
	}
	switch {
	case len(readings) == 0:
		m.Verdict = Unread
	case differs != nil:
		m.Verdict, m.By = Survived, differs.plan
		m.Difference = r.explain(m, differs)
	case m.Data:
		m.Verdict = Unshown
	default:
		r.explore(m, readings)
	}
}

// killed notes what is red: a check of the scenario before a gate, which only says that
// the run was another one.
func (m *Mutant) killed(x *reading) {
	m.Verdict, m.By = Killed, x.plan
	problems := x.result.Problems
	if i := slices.IndexFunc(problems, func(p interp.Problem) bool { return p.Kind != "gate" }); i > 0 {
		problems = problems[i:]
	}
	if len(problems) > 0 {
		m.Check = problems[0].Kind + " " + problems[0].Name
	}
}

// readings are the scenarios of a host whose plans are others with a mutant; ok is false
// where the mutant does not compile.
func (r *runner) readings(h *Host, m *Mutant) (list []*reading, ok bool) {
	if len(h.Plans) == 0 {
		return nil, true
	}
	f := r.Compile(h.Path, map[string][]byte{m.File: m.Text()})
	if f.Failed() {
		m.Verdict, m.Why = Invalid, firstError(f)
		return nil, false
	}
	plans := byName(f.Plans)
	for _, p := range h.Plans {
		b, mutant := r.bases[p], plans[p.Name]
		if b != nil && mutant != nil && mutant.Hash() != p.Hash() {
			x := &reading{base: b, compare: b.compare, host: h, mutant: mutant}
			if m.headers {
				x.compare = compared(p, ".headers")
			}
			list = append(list, x)
		}
	}
	return list, true
}

// compared compares runs of a plan by what its file reads, and by more. The id of a run is not among it: that of a
// mutant is always another one.
func compared(p *interp.Plan, more ...string) explore.Comparison {
	return explore.Compare(append(bytes.ReplaceAll(p.JSON(), []byte(".run_id"), nil), strings.Join(more, " ")...))
}

func byName(plans []*interp.Plan) map[string]*interp.Plan {
	m := make(map[string]*interp.Plan, len(plans))
	for _, p := range plans {
		m[p.Name] = p
	}
	return m
}

// firstError is the first thing that is wrong with a file.
func firstError(f *suite.File) string {
	for _, d := range f.Diags {
		if d.Severity == hcl.DiagError {
			return d.Summary + ": " + d.Detail
		}
	}
	return f.Crash
}

// Tried is how many mutants have a verdict.
func (r *Report) Tried() int { return len(r.Mutants) - r.Count("") }
