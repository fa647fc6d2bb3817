package event

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// A drawing fills payloads with random values.
type drawing struct {
	*rand.Rand
	// all leaves nothing out.
	all bool
}

func (d drawing) skip() bool { return !d.all && d.IntN(3) == 0 }

var words = []string{"a", "two words", "é", "\"<&>\"", "line\nline", "\x00\u2028", "日本", "~/0"}

func (d drawing) text() string { return words[d.IntN(len(words))] }

func (d drawing) number() float64 {
	numbers := []float64{1, -2, 0.1, 1e21, 1e-7, math.MaxFloat64, 1.0 / 3, 12345678}
	return numbers[d.IntN(len(numbers))]
}

// language is a value of the language in its normal form.
func (d drawing) language(depth int) cty.Value {
	switch n := d.IntN(7); {
	case n == 0:
		return cty.NumberFloatVal(d.number())
	case n == 1:
		return cty.BoolVal(d.IntN(2) == 0)
	case n == 2 && depth > 0:
		return cty.NullVal(cty.DynamicPseudoType)
	case n == 3 && depth < 3:
		list := make([]cty.Value, d.IntN(3))
		for i := range list {
			list[i] = d.language(depth + 1)
		}
		return cty.TupleVal(list)
	case n > 3 && depth < 3:
		members := map[string]cty.Value{}
		for range d.IntN(3) + 1 {
			members[d.text()] = d.language(depth + 1)
		}
		return cty.ObjectVal(members)
	}
	return cty.StringVal(d.text())
}

// fill sets the fields of a struct at random.
func (d drawing) fill(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		f := v.Field(i)
		if _, tagged := v.Type().Field(i).Tag.Lookup("attr"); !tagged {
			if f.Kind() == reflect.Pointer {
				if d.skip() {
					continue
				}
				f.Set(reflect.New(f.Type().Elem()))
				f = f.Elem()
			}
			d.fill(t, f)
			continue
		}
		if d.skip() {
			continue
		}
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		d.set(t, f)
	}
}

func (d drawing) set(t *testing.T, f reflect.Value) {
	t.Helper()
	switch p := f.Addr().Interface().(type) {
	case *Value:
		p.Value = d.language(0)
	case *JSON:
		p.Plain = Value{d.language(0)}
	case *RunID:
		p.text = d.text()
	case *Usage:
		p.Usage = providers.Usage{Set: true, Prompt: d.IntN(9), Completion: d.IntN(9), Total: d.IntN(9), Cached: d.IntN(9), Reasoning: d.IntN(9)}
	case *Calls:
		*p = Calls{{ID: d.text(), Name: d.text(), Arguments: d.text()}}
	case *Chain:
		*p = Chain{{Message: d.text()}, {Kind: "timeout", Cause: "eof", Type: d.text(), Step: "s", Target: "t", Mode: "M", StatusCode: 500, Attempt: 2, Message: ""}}
	case *Instants:
		*p = Instants{0, time.Duration(d.Int64N(1 << 50))}
	case *Headers:
		*p = Headers{d.text(): d.text(), "x": ""}
	case *PartialResult:
		*p = PartialResult{
			Completed: []string{d.text()}, Failed: []string{}, Skipped: []string{"a", "b"}, Remaining: []string{}, Ratio: 0.5, Recoverable: true, Hint: d.text(),
			Data: map[string]cty.Value{d.text(): d.language(1), "o": d.language(0)},
		}
	case *bench.Trial:
		*p = bench.Trial{
			Score:   bench.Score{Passed: true, Score: 0.25, Breakdown: map[string]float64{d.text(): 0.1}, FailureModes: []bench.FailureMode{{Code: "C", Severity: "block", Detail: d.text()}}, CostUSD: 0.01},
			Elapsed: time.Duration(d.Int64N(1<<30)) * time.Millisecond,
			Kept: &bench.Kept{
				Output: bench.Excerpt{Text: d.text() + "no JSON", Bytes: 99}, Log: bench.Excerpt{Text: d.text() + "l"}, Broken: []string{d.text()}, Operands: []bench.Operand{{Text: "output.a", Value: d.text()}},
				Calls:     []bench.Call{{At: 7 * time.Millisecond, Step: "s", Attempt: 2, Target: "t", What: "m", Outcome: "success", Asked: bench.Excerpt{Text: d.text() + "a"}, Answered: bench.Excerpt{Text: "b", Bytes: 5}}},
				CallsLeft: 3,
			},
		}
	case *Range:
		p.Range = hcl.Range{Filename: d.text(), Start: hcl.Pos{Line: 1, Column: d.IntN(9), Byte: 7}, End: hcl.Pos{Line: 2, Column: 3, Byte: d.IntN(99)}}
	case *[]string:
		*p = []string{d.text(), ""}
	case *Names:
		*p = Names{}
		for range d.IntN(3) {
			*p = append(*p, d.text())
		}
	default:
		switch f.Kind() {
		case reflect.String:
			f.SetString(d.text())
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(d.Int64N(1 << 50))
		case reflect.Float64:
			f.SetFloat(d.number())
		default:
			t.Fatalf("the test has no value for a field of type %s", f.Type())
		}
	}
}

// full is a payload with every attribute set.
func full(typ trace.Type) trace.Payload {
	p := Empty(typ)
	drawing{rand.New(rand.NewPCG(1, 1)), true}.fill(&testing.T{}, reflect.ValueOf(p).Elem())
	return p
}

// told is what readers of a payload see: values of the language as they compare.
var told = cmp.Options{
	cmp.Comparer(func(a, b cty.Value) bool {
		if a == cty.NilVal || b == cty.NilVal {
			return a == b
		}
		return a.RawEquals(b)
	}),
	cmp.Transformer("JSON", func(j JSON) string { return string(trace.AppendValue(nil, j.Plain)) }),
	cmp.AllowUnexported(RunID{}),
}

// Every payload, whatever it says, is read back from its line as it was: with
// the members that are null, which the canonical encoding leaves out.
func TestRoundTrip(t *testing.T) {
	for _, info := range Types() {
		t.Run(string(info.Type), func(t *testing.T) {
			for n := range 300 {
				p := Empty(info.Type)
				d := drawing{rand.New(rand.NewPCG(uint64(n), 7)), n == 0}
				d.fill(t, reflect.ValueOf(p).Elem())
				e := trace.Event{Seq: 1, At: 5, Type: info.Type, Step: "s", Payload: p}
				line := e.AppendJSON(nil)
				if !json.Valid(line) {
					t.Fatalf("no JSON: %s", line)
				}
				again, err := Read(line)
				if err != nil {
					t.Fatal(err)
				}
				if reflect.TypeOf(again.Payload) != reflect.TypeOf(p) {
					t.Fatalf("%s\nis read as a %T", line, again.Payload)
				}
				if err := Check(again); err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(normal(p), normal(again.Payload), told); diff != "" {
					t.Fatalf("%s\n%s", line, diff)
				}
				if twice := string(again.AppendJSON(nil)); twice != string(line) {
					t.Fatalf("encoded again:\n%s\n%s", line, twice)
				}
			}
		})
	}
}

// normal is a payload without differences that no reader sees: an embedded part
// in which nothing is set is as good as none.
func normal(p trace.Payload) map[string]any {
	out := map[string]any{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			f, of := v.Field(i), v.Type().Field(i)
			key, tagged := of.Tag.Lookup("attr")
			switch {
			case tagged && !f.IsZero():
				out[fmt.Sprint(of.Name, " ", key)] = f.Interface()
			case tagged:
			case f.Kind() != reflect.Pointer:
				walk(f)
			case !f.IsNil():
				walk(f.Elem())
			}
		}
	}
	walk(reflect.ValueOf(p).Elem())
	return out
}

// A usage tells the metrics the tokens that its encoding names.
func TestUsageTellsItsTokens(t *testing.T) {
	u := Usage{Usage: providers.Usage{Set: true, Prompt: 3, Completion: 5, Total: 8}}
	var named struct {
		In  int64 `json:"prompt_tokens"`
		Out int64 `json:"completion_tokens"`
	}
	if err := json.Unmarshal(u.AppendJSON(nil), &named); err != nil {
		t.Fatal(err)
	}
	if in, out := u.Tokens(); in != named.In || out != named.Out || in != 3 {
		t.Errorf("tells %d and %d, encodes %d and %d", in, out, named.In, named.Out)
	}
}
