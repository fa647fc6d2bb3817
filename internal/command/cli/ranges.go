package cli

import (
	"strconv"

	"github.com/spf13/pflag"
)

// rangeOf is the annotation of a flag that has a range.
const rangeOf = "scenario_range"

// Unbounded is the largest value of a flag that has none.
const Unbounded = 0

// InRange says which values an integer flag takes. Its default may lie outside of them,
// for a flag that was not given.
func InRange(flags *pflag.FlagSet, name string, least, most int) {
	if err := flags.SetAnnotation(name, rangeOf, []string{strconv.Itoa(least), strconv.Itoa(most)}); err != nil {
		panic(err) // there is no such flag
	}
}

// Range is what [InRange] said of a flag; ok is false for one without a range.
func Range(f *pflag.Flag) (least, most int, ok bool) {
	said := f.Annotations[rangeOf]
	if len(said) != 2 {
		return 0, 0, false
	}
	least, _ = strconv.Atoi(said[0])
	most, _ = strconv.Atoi(said[1])
	return least, most, true
}

// checkRanges refuses a flag that was given a value outside of its range.
func checkRanges(flags *pflag.FlagSet) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		least, most, ok := Range(f)
		if !ok || !f.Changed || err != nil {
			return
		}
		switch n, bad := strconv.Atoi(f.Value.String()); {
		case bad != nil || n >= least && (most == Unbounded || n <= most):
		case most == Unbounded:
			err = Usagef("", "--%s must be at least %d, not %d", f.Name, least, n)
		default:
			err = Usagef("", "--%s must be from %d to %d, not %d", f.Name, least, most, n)
		}
	})
	return err
}
