package policy

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// written is a declaration that says nothing: every attribute has one value.
type written struct{ t *testing.T }

func (written) Has(string) bool               { return false }
func (written) Value(string) any              { return nil }
func (written) Int(string) int                { return 2 }
func (written) Float(string) float64          { return 2 }
func (written) Duration(string) time.Duration { return 2 * time.Second }
func (written) FailureKinds(string) []string  { return []string{"timeout"} }
func (w written) Errorf(attr, summary, format string, args ...any) {
	w.t.Errorf("%s: %s: %s", attr, summary, fmt.Sprintf(format, args...))
}

// Nothing that a policy is told apart by is used twice, and what is read of a
// block is of the block's kind.
func TestKindsAreTold(t *testing.T) {
	names, reasons := map[string]bool{}, map[string]bool{}
	for _, k := range Kinds() {
		if k.Name == "" || names[k.Name] {
			t.Errorf("the name %q is empty or taken", k.Name)
		}
		if k.Reason == "" || reasons[k.Reason] {
			t.Errorf("%s: the reason %q is empty or taken", k.Name, k.Reason)
		}
		names[k.Name], reasons[k.Reason] = true, true
		if k.Failure == "" {
			t.Errorf("%s: a refused call has no kind of failure", k.Name)
		}
		cfg := k.Read(written{t})
		if cfg.Kind() != k {
			t.Errorf("the kind %s reads a policy of kind %s", k.Name, cfg.Kind().Name)
		}
		if cfg.Text() == "" {
			t.Errorf("%s: nothing is said of it", k.Name)
		}
	}
}

// The plan's JSON tells every field of a policy: two policies that differ have
// different hashes. That a file gives a value which is the default as well is told to people alone.
func TestJSONTellsEveryField(t *testing.T) {
	for _, k := range Kinds() {
		cfg := k.Read(written{t})
		told := fmt.Sprint(cfg.JSON())
		v := reflect.ValueOf(cfg).Elem()
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Type() == reflect.TypeFor[ownAttrs]() {
				continue // whether a value is the file's or the default decides no run
			}
			before := reflect.ValueOf(f.Interface())
			change(t, f)
			if fmt.Sprint(cfg.JSON()) == told {
				t.Errorf("%s: another %s is the same in the plan's JSON", k.Name, v.Type().Field(i).Name)
			}
			f.Set(before)
		}
	}
}

// change gives a field another value.
func change(t *testing.T, f reflect.Value) {
	t.Helper()
	switch f.Kind() {
	case reflect.Int, reflect.Int64:
		f.SetInt(f.Int() + 1)
	case reflect.Float64:
		f.SetFloat(f.Float() + 1)
	case reflect.String:
		f.SetString(f.String() + "x")
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.Slice:
		f.Set(reflect.Append(f, reflect.Zero(f.Type().Elem())))
	default:
		t.Fatalf("no way to change a %s", f.Type())
	}
}
