package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Shows that a flag that can be repeated keeps every string as it was given, commas and
// emptiness included, as pflag's own does, and that the help names no default.
func TestRepeated(t *testing.T) {
	for _, args := range [][]string{nil, {"--f", "a"}, {"--f", "a,b", "--f=", "--f", "a"}} {
		var ours, theirs []string
		own, other := pflag.NewFlagSet("own", pflag.ContinueOnError), pflag.NewFlagSet("other", pflag.ContinueOnError)
		cli.Repeated(own, &ours, "f", "usage of `x`")
		other.StringArrayVar(&theirs, "f", nil, "usage of `x`")
		if err := own.Parse(args); err != nil {
			t.Fatal(err)
		}
		if err := other.Parse(args); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(theirs, ours); d != "" {
			t.Errorf("%q: %s", args, d)
		}
		if own.FlagUsages() != other.FlagUsages() || strings.Contains(own.FlagUsages(), "default") {
			t.Errorf("the help is\n%s, and that of pflag\n%s", own.FlagUsages(), other.FlagUsages())
		}
		list := own.Lookup("f").Value.(pflag.SliceValue)
		if d := cmp.Diff(other.Lookup("f").Value.(pflag.SliceValue).GetSlice(), list.GetSlice(), cmp.Transformer("len", func(l []string) string { return strings.Join(l, "\n") })); d != "" {
			t.Errorf("%q: %s", args, d)
		}
		if err := list.Replace(nil); err != nil || len(ours) != 0 {
			t.Errorf("%q are left, %v", ours, err)
		}
	}
}
