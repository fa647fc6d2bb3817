package shrink

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/interp"
)

// Play compiles a text in the place of the file, and runs the scenario of a name in it:
// nil where it does not compile, or has none of that name.
type Play func(text []byte, name string) *interp.Result

// most bounds the runs that one scenario takes.
const most = 2000

// A Result is the smallest scenario that was found.
type Result struct {
	// Text is the whole file with it, and Block it alone.
	Text, Block []byte
	// Kept is the problem that it still has.
	Kept interp.Problem
	// Parts is how many parts the scenario had that may go, and Left how many of them
	// are left.
	Parts, Left int
	// Runs is how many it took.
	Runs int
	// Cut says that the time was over before all was tried.
	Cut bool
}

// An Unshrinkable is why a scenario cannot be made smaller.
type Unshrinkable struct {
	Why, Hint string
	// Passes says that there is nothing to keep.
	Passes bool
}

func (u *Unshrinkable) Error() string { return u.Why }

// Scenario makes the scenario of a name smaller, which stands in a source. Keep is the
// name of what has to fail still, "" for the first check that fails, and the first gate
// where none does. When over has a value nothing more is tried, and the smallest one so far is
// the result; nil is never. The error is an *[Unshrinkable].
func Scenario(source []byte, name, keep string, over <-chan time.Time, play Play) (*Result, error) {
	block := find(source, name)
	if block == nil {
		return nil, &Unshrinkable{Why: fmt.Sprintf("%q is one of many scenarios that a block stands for", name), Hint: "write it as a scenario of its own, with the values of its row"}
	}
	first := play(source, name)
	if first == nil {
		return nil, &Unshrinkable{Why: fmt.Sprintf("%q cannot be run here", name)}
	}
	kept, err := pick(first, name, keep)
	if err != nil {
		return nil, err
	}
	s := &shrinker{source: source, name: name, play: play, over: over, kept: kept, known: keys(first), parts: partsOf(source, block), runs: 1}
	s.gone = make([]bool, len(s.parts))
	s.shrink()
	return s.result(), nil
}

// find is the block of a scenario, nil for none.
func find(source []byte, name string) *hclsyntax.Block {
	file, _ := dotted.ParseConfig(source, "", hcl.InitialPos)
	if file == nil {
		return nil
	}
	for _, b := range file.Body.(*hclsyntax.Body).Blocks {
		if b.Type == "scenario" && slices.Equal(b.Labels, []string{name}) && b.Body.Attributes["for_each"] == nil {
			return b
		}
	}
	return nil
}

// pick is the problem that is to stay.
func pick(r *interp.Result, name, keep string) (interp.Problem, error) {
	if len(r.Problems) == 0 {
		return interp.Problem{}, &Unshrinkable{Why: fmt.Sprintf("%q passes: there is nothing to keep", name), Passes: true}
	}
	if keep == "" {
		return r.Problems[max(0, slices.IndexFunc(r.Problems, func(p interp.Problem) bool { return p.Kind != "gate" }))], nil
	}
	var names []string
	for _, p := range r.Problems {
		if p.Name == keep {
			return p, nil
		}
		if text := fmt.Sprintf("%q", p.Name); !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	return interp.Problem{}, &Unshrinkable{Why: fmt.Sprintf("nothing of the name %q fails in %q", keep, name), Hint: "what fails is " + strings.Join(names, ", ")}
}

// A key says which problems are the same.
type key struct{ kind, name string }

func keyOf(p *interp.Problem) key { return key{p.Kind, p.Name} }

func keys(r *interp.Result) map[key]bool {
	known := map[key]bool{}
	for i := range r.Problems {
		known[keyOf(&r.Problems[i])] = true
	}
	return known
}

// A shrinker leaves out what it can.
type shrinker struct {
	source []byte
	name   string
	play   Play
	kept   interp.Problem
	over   <-chan time.Time
	cut    bool
	// known are all problems of the whole scenario: a smaller one that has another fails
	// for another reason, such as a call that nothing answers any more.
	known map[key]bool
	parts []part
	gone  []bool
	runs  int
}

// shrink leaves out what does harm, and then whatever can go.
func (s *shrinker) shrink() {
	s.leaveOut(func(p *part) bool { return p.harm })
	s.leaveOut(func(*part) bool { return true })
}

// leaveOut leaves out halves of some parts, then quarters, and in the end single ones,
// until no single one of them can go.
func (s *shrinker) leaveOut(wanted func(*part) bool) {
	size := max(1, len(s.parts)/2)
	for {
		changed := s.chunks(size, wanted)
		switch {
		case s.ended(), size == 1 && !changed:
			return
		case size > 1:
			size /= 2
		}
	}
}

// chunks tries to leave out so many of some parts at once that follow each other, and
// reports whether some could go. The last come first: what is declared early is needed
// more often.
func (s *shrinker) chunks(size int, wanted func(*part) bool) (changed bool) {
	var left []int
	for i := range s.parts {
		if !s.gone[i] && wanted(&s.parts[i]) {
			left = append(left, i)
		}
	}
	for end := len(left); end > 0; end -= size {
		if s.without(left[max(0, end-size):end]) {
			changed = true
		}
	}
	return changed
}

// without leaves out some parts, if the scenario still fails the same way.
func (s *shrinker) without(parts []int) bool {
	if s.ended() {
		return false
	}
	gone := slices.Clone(s.gone)
	for _, i := range parts {
		gone[i] = true
		for j := i + 1; j < len(s.parts) && s.parts[j].end <= s.parts[i].end; j++ {
			gone[j] = true // what stands inside goes with it
		}
	}
	s.runs++
	if !s.shows(s.play(without(s.source, s.parts, gone), s.name)) {
		return false
	}
	s.gone = gone
	return true
}

// ended reports whether no further run is to begin.
func (s *shrinker) ended() bool {
	select {
	case <-s.over:
		s.cut, s.over = true, nil
	default:
	}
	return s.cut || s.runs >= most
}

// shows reports whether a run has the problem that is to stay, and no new one.
func (s *shrinker) shows(r *interp.Result) bool {
	if r == nil {
		return false
	}
	shown := false
	for i := range r.Problems {
		k := keyOf(&r.Problems[i])
		if !s.known[k] {
			return false
		}
		shown = shown || k == keyOf(&s.kept)
	}
	return shown
}

func (s *shrinker) result() *Result {
	text := without(s.source, s.parts, s.gone)
	block := find(text, s.name)
	r := &Result{Text: text, Kept: s.kept, Parts: len(s.parts), Runs: s.runs, Cut: s.cut}
	r.Block = text[block.Range().Start.Byte:block.CloseBraceRange.End.Byte]
	for i := range s.gone {
		if !s.gone[i] {
			r.Left++
		}
	}
	return r
}

// Written is a file of its own with the scenario, which imports the world from another.
// What it is called says what fails.
func (r *Result) Written(imported string) []byte {
	name := strings.Map(printable, r.Kept.Name)
	block := find(r.Text, labelOf(r.Block))
	head := fmt.Sprintf("# Made by scenario shrink: the %s %q still fails.\nimport = [%q]\n\n", r.Kept.Kind, name, imported)
	label := block.LabelRanges[0]
	start := block.Range().Start.Byte
	text := string(r.Text[start:label.Start.Byte]) + quoted(block.Labels[0]+": "+r.Kept.Name) + string(r.Text[label.End.Byte:block.CloseBraceRange.End.Byte])
	return []byte(head + text + "\n")
}

// Name is what the scenario is called in a file of its own.
func (r *Result) Name() string { return labelOf(r.Block) + ": " + r.Kept.Name }

// labelOf is the name of the scenario in a text that is its block.
func labelOf(block []byte) string {
	file, _ := dotted.ParseConfig(block, "", hcl.InitialPos)
	return file.Body.(*hclsyntax.Body).Blocks[0].Labels[0]
}

// quoted is a string of the language.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", "$${", "%{", "%%{").Replace(text) + `"`
}

// printable has what ends a line not stand in a comment.
func printable(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}
