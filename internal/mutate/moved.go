package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/mutate/joint"
)

// ofEach is the operator that gives each of several things a limit, a lock or a turn of its own, in the place of one
// that is of them all.
const (
	ofEach   = "scope"
	movedMax = 40 // of a file
)

// mover makes them.
type mover struct {
	unit      *unit
	list      []*Mutant
	workflows map[string]*site // of the file, by name
	src       []byte
}

// moved gives each of several steps what all have together: a timeout, a budget or a retry; each handler of an actor
// its own lock; and each pass of a loop, or sub of a fanout, what another one does when all passes of the first are
// over. That is the same for every scenario in which only the first of them fails or takes long. And the other way
// round, what each has for itself is one for all: the same where they never meet.
func (u *unit) moved(file *dsl.File, sites []*site) []*Mutant {
	m := &mover{unit: u, workflows: map[string]*site{}, src: u.source}
	for _, s := range sites {
		if s.Type == "workflow" {
			m.workflows[s.Name()] = s
		}
	}
	for _, s := range sites {
		switch s.Type {
		case "workflow":
			m.attribute(s, "timeout")
			m.budget(s)
			m.merged(s)
		case "step":
			m.attribute(s, "timeout")
			m.attribute(s, "retry")
		case "actor":
			m.locks(s)
		}
	}
	m.joined(file, sites)
	return m.list
}

// add makes a mutant of changes, which may come in any order.
func (m *mover) add(s *site, keeps, what string, rng hcl.Range, cuts []change) {
	if len(m.list) == movedMax {
		return
	}
	slices.SortStableFunc(cuts, func(a, b change) int { return a.from - b.from })
	made := Mutant{Declaration: s.name(), Change: what, File: m.unit.path, Line: rng.Start.Line, Range: rng, Original: m.src, keeps: keeps}
	m.list = append(m.list, made.of(cutOut(m.src, cuts)))
}

// stepsOf are the steps of a workflow, or what a step runs: the steps of its workflow or of its body, or its subs.
func (m *mover) stepsOf(s *site) []*dsl.Block {
	b := s.Block
	if w := m.runs(b); w != nil {
		b = w.Block
	}
	return slices.DeleteFunc(slices.Clone(b.Blocks), func(in *dsl.Block) bool {
		return in.Type != "sub" && (in.Type != "step" || in.Kind() == "value" || in.Kind() == "wait")
	})
}

// runs is the workflow of the file that a step runs, nil for none.
func (m *mover) runs(b *dsl.Block) *site {
	run := b.Attr("run")
	if run == nil {
		return nil
	}
	name, _ := strings.CutPrefix(m.text(run.Expr.Range()), "workflow.")
	return m.workflows[name]
}

func (m *mover) text(rng hcl.Range) string { return string(m.src[rng.Start.Byte:rng.End.Byte]) }

// blank leaves out what stands in a range.
func (m *mover) blank(rng hcl.Range) change { return asChange(joint.Blank(m.src, rng)) }

func asChange(c joint.Cut) change { return change{from: c.From, to: c.To, with: c.With} }

// into puts lines into a block.
func (m *mover) into(b *dsl.Block, lines string) []change {
	return asChanges(joint.Into(m.src, b, lines))
}

func asChanges(cuts []joint.Cut) (list []change) {
	for _, c := range cuts {
		list = append(list, asChange(c))
	}
	return list
}

// joined makes one for all of what several have each for itself.
func (m *mover) joined(file *dsl.File, sites []*site) {
	for _, one := range joint.Find(file) {
		if i := slices.IndexFunc(sites, func(s *site) bool { return s.Block == one.Block }); i >= 0 {
			m.add(sites[i], one.Keeps, one.What, one.Range, asChanges(one.Cuts))
		}
	}
}

// attribute moves one onto each of several steps. Those that have their own keep it.
func (m *mover) attribute(s *site, name string) {
	a := s.Attr(name)
	if a == nil || isNull(a) || slices.ContainsFunc([]string{"step", "input", "loop", "item"}, func(name string) bool { return usesName(a.Expr, name) }) {
		return
	}
	steps := m.stepsOf(s)
	if len(steps) < 2 {
		return
	}
	cuts, got := []change{m.blank(a.Range)}, 0
	for _, b := range steps {
		if b.Attr(name) == nil && b.Schema.Attr(name) != nil {
			cuts = append(cuts, m.into(b, name+" = "+m.text(a.Expr.Range()))...)
			got++
		}
	}
	if got > 0 {
		m.add(s, name, fmt.Sprintf("%s %s of all → of each step", name, s.brief(a.Expr.Range())), a.Range, cuts)
	}
}

// budget moves that of a workflow onto each workflow that it runs, where it asks nobody itself.
func (m *mover) budget(s *site) {
	budgets := s.All("budget")
	if len(budgets) == 0 {
		return
	}
	rng := hcl.RangeBetween(budgets[0].DefRange, budgets[0].End)
	cuts, got := []change{m.blank(rng)}, map[*site]bool{}
	for _, b := range m.stepsOf(s) {
		w := m.runs(b)
		if w == nil || w == s {
			return
		}
		if !got[w] && len(w.All("budget")) == 0 {
			cuts = append(cuts, m.into(w.Block, m.text(rng))...)
		}
		got[w] = true
	}
	if len(got) > 1 {
		m.add(s, "", "budget of all → of each workflow", rng, cuts)
	}
}

// locks give each handler its own where several take one.
func (m *mover) locks(s *site) {
	for _, lock := range s.All("lock") {
		quoted := `"` + lock.Name() + `"`
		whole := m.text(hcl.RangeBetween(lock.DefRange, lock.End))
		var cuts []change
		takers := 0
		for _, h := range s.All("handler") {
			a := h.Attr("lock")
			if a == nil {
				continue
			}
			list, _ := dsl.Bare(a.Expr).(*hclsyntax.TupleConsExpr)
			for i := 0; list != nil && i < len(list.Exprs); i++ {
				x := list.Exprs[i]
				if m.text(x.Range()) != quoted {
					continue
				}
				if takers++; takers > 1 {
					own := fmt.Sprintf(`"%s_%d"`, lock.Name(), takers)
					cuts = append(cuts, change{from: x.Range().Start.Byte, to: x.Range().End.Byte, with: own}, change{from: lock.End.End.Byte, to: lock.End.End.Byte, with: "\n" + strings.Replace(whole, quoted, own, 1)})
				}
			}
		}
		if takers > 1 {
			m.add(s, "", fmt.Sprintf("lock %s of all → of each handler", quoted), lock.DefRange, cuts)
		}
	}
}

// merged puts what one step does once another one is over into that one: two loops of which the second one has as many
// passes are one loop, and two fanouts with the same subs one in which each waits only for its own.
func (m *mover) merged(s *site) {
	steps := s.All("step")
	for _, second := range steps {
		for _, first := range steps {
			if first == second || first.Kind() != second.Kind() {
				continue
			}
			switch second.Kind() {
			case "loop":
				m.loops(s, first, second)
			case "fanout":
				m.fanouts(s, first, second)
			}
		}
	}
}

// mentions is how often a text reads a step.
func mentions(text, step string) (n int) {
	for _, after := range strings.Split(text, "step."+step)[1:] {
		if after == "" || !strings.ContainsRune("-_", rune(after[0])) && !('0' <= after[0] && after[0] <= '9' || 'a' <= after[0] && after[0] <= 'z' || 'A' <= after[0] && after[0] <= 'Z') {
			n++
		}
	}
	return n
}

// alone reports whether nothing in the file but the block itself reads a step.
func (m *mover) alone(b *dsl.Block) bool {
	return mentions(string(m.src), b.Name()) == mentions(m.text(hcl.RangeBetween(b.DefRange, b.End)), b.Name())
}

func (m *mover) loops(s *site, first, second *dsl.Block) {
	a, b := first.Attr("while"), second.Attr("while")
	if a == nil || b == nil || len(first.All("step")) == 0 || second.Attr("when") != nil || !m.alone(second) {
		return
	}
	condition, passes := m.text(b.Expr.Range()), "step."+first.Name()+".iterations"
	after := mentions(m.text(hcl.RangeBetween(second.DefRange, second.End)), first.Name()) - strings.Count(condition, passes)
	if waits := second.Attr("depends_on"); waits != nil {
		after -= mentions(m.text(waits.Range), first.Name())
	}
	// What reads another part of the first loop needs all of it.
	if after != 0 || condition != m.text(a.Expr.Range()) && !strings.Contains(condition, passes) {
		return
	}
	before, names := first.All("step"), []string(nil)
	for _, in := range before {
		names = append(names, "step."+in.Name())
	}
	m.join(s, first, second, second.All("step"), "both in one loop", func(in *dsl.Block) (string, string) {
		if slices.ContainsFunc(before, func(b *dsl.Block) bool { return b.Name() == in.Name() }) {
			return "", ""
		}
		return in.Name(), "[" + strings.Join(names, ", ") + "]"
	})
}

func (m *mover) fanouts(s *site, first, second *dsl.Block) {
	waits, mode := second.Attr("depends_on"), first.Attr("mode")
	if waits == nil || mode != nil || !m.alone(second) || mentions(m.text(waits.Range), first.Name()) == 0 {
		return
	}
	subs, ordered, before := first.All("sub"), second.Attr("mode") != nil, ""
	m.join(s, first, second, second.All("sub"), "each sub waits for its own", func(in *dsl.Block) (string, string) {
		if !slices.ContainsFunc(subs, func(b *dsl.Block) bool { return b.Name() == in.Name() }) {
			return "", ""
		}
		name, list := second.Name()+"_"+in.Name(), fmt.Sprintf("%q", in.Name())
		if ordered && before != "" {
			list += fmt.Sprintf(", %q", before)
		}
		before = name
		return name, "[" + list + "]"
	})
}

// join moves what is in a second block into a first one, under other names and behind others.
func (m *mover) join(s *site, first, second *dsl.Block, inner []*dsl.Block, how string, as func(*dsl.Block) (name, after string)) {
	if len(inner) == 0 {
		return
	}
	text := ""
	for _, in := range inner {
		name, after := as(in)
		if name == "" || in.Attr("depends_on") != nil {
			return
		}
		rng := hcl.RangeBetween(in.DefRange, in.End)
		cuts := append(m.into(in, "depends_on = "+after), change{from: in.LabelRanges[len(in.LabelRanges)-1].Start.Byte, to: in.LabelRanges[len(in.LabelRanges)-1].End.Byte, with: `"` + name + `"`})
		slices.SortStableFunc(cuts, func(a, b change) int { return a.from - b.from })
		for i := range cuts {
			cuts[i].from, cuts[i].to = cuts[i].from-rng.Start.Byte, cuts[i].to-rng.Start.Byte
		}
		text += string(cutOut([]byte(m.text(rng)), cuts)) + "\n"
	}
	closing := first.End.Start.Byte
	cuts := []change{{from: closing, to: closing, with: "\n" + text}, m.blank(hcl.RangeBetween(second.DefRange, second.End))}
	m.add(s, "", fmt.Sprintf("step.%s, then step.%s → %s", first.Name(), second.Name(), how), second.DefRange, cuts)
}
