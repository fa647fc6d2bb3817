package interp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// snapshot is a value that must be what it was when it was recorded.
type snapshot struct {
	name  string
	value hclsyntax.Expression
	// path is where the record stands, from the directory of the scenario's
	// file; golden is what stands there, nil for nothing.
	path   string
	golden []byte
	rng    hcl.Range
}

// A Snapshot is a value of a finished run that is compared with a record. It
// holds no secrets.
type Snapshot struct {
	Name string
	// Path is where the record stands, from the directory of the scenario's
	// file, with slashes.
	Path string
	// Value is the value as canonical JSON, indented for the readers of
	// differences; nil where it could not be evaluated.
	Value []byte
	// Recorded says that a record is there, and Same that it is this value.
	Recorded, Same bool
}

func (sc *scenarioCompiler) snapshot(b *dsl.Block, env *dsl.Env) {
	s := &snapshot{name: b.Name(), value: exprOf(b, "value"), rng: b.DefRange}
	if s.value == nil {
		return
	}
	_, observed, diags := dsl.InferObserved(s.value, env)
	sc.diags = append(sc.diags, diags...)
	if diags.HasErrors() {
		return
	}
	if !observed {
		sc.errorf(s.value.Range(), "Snapshot of nothing observed", "The value refers to nothing that the run does, so it would be the same whatever happens. Refer to step, run, target, breaker, gateway or a query such as events().")
		return
	}
	dsl.Strict(s.value)
	s.path = snapshotPath(sc.p.File, sc.p.Name, s.name)
	var err error
	if sc.opts.ReadSnapshot != nil {
		s.golden, err = sc.opts.ReadSnapshot(s.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		sc.errorf(s.rng, "Snapshot cannot be read", "%s", sentence(err.Error()))
		return
	}
	sc.p.needs.add(s.value)
	sc.p.snapshots, sc.p.Snapshots = append(sc.p.snapshots, s), append(sc.p.Snapshots, s.path)
}

// snapshot compares a value with its record; the problem is nil where they are
// the same.
func (c *checker) snapshot(s *snapshot) (Snapshot, *Problem) {
	seen := Snapshot{Name: s.name, Path: s.path, Recorded: s.golden != nil}
	p := &Problem{Kind: "snapshot", Name: s.name, Range: s.rng}
	v, diags := s.value.Value(c.ctx)
	switch {
	case diags.HasErrors():
		p.Message = "the value cannot be evaluated: " + firstError(diags)
		return seen, p
	case !v.IsWhollyKnown():
		p.Message = "the value is not known."
		return seen, p
	}
	v = c.run.plan.secrets.operand(string(dsl.AppendSource(nil, s.value)), normalise(v))
	canonical := stdlib.CanonicalJSON(v)
	seen.Value = indented(canonical)
	if !seen.Recorded {
		p.Message = fmt.Sprintf("nothing is recorded in %s yet.\nhint: run `scenario test --update` to record the value, read it, and commit the file", s.path)
		return seen, p
	}
	golden, err := readGolden(s.golden)
	if err != nil {
		p.Message = fmt.Sprintf("%s is no JSON: %s\nhint: run `scenario test --update` to record the value anew", s.path, err)
		return seen, p
	}
	if seen.Same = bytes.Equal(canonical, stdlib.CanonicalJSON(golden)); seen.Same {
		return seen, nil
	}
	p.Diff = dsl.Diff(v, golden)
	p.Message = fmt.Sprintf("the value is not what %s has.\nhint: if the new value is right, run `scenario test --update` and commit the file", s.path)
	return seen, p
}

func indented(canonical []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, canonical, "", "  ") != nil {
		b.Write(canonical) // never: it is JSON
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// readGolden reads a record, however it is laid out: a checkout may have other
// line ends, and an editor another taste.
func readGolden(data []byte) (cty.Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // an id may be too long for a float
	var v any
	if err := d.Decode(&v); err != nil {
		return cty.NilVal, err
	}
	if d.More() {
		return cty.NilVal, errors.New("there is more than one value")
	}
	return normalise(dsl.CtyValue(v)), nil
}
