package main

import "github.com/spf13/pflag"

// playFlags are what commands can be told that play the scripts of scenarios.
type playFlags struct {
	strict, strictCassettes, update bool
	seed                            uint64
}

func (f *playFlags) registerSeed(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
}

// What --strict and --strict-cassettes do.
const (
	strictUsage          = "treat warnings about files as errors"
	strictCassettesUsage = "refuse recordings that cannot be verified to be complete"
)

func (f *playFlags) registerStrict(flags *pflag.FlagSet) {
	flags.BoolVar(&f.strict, "strict", false, strictUsage)
	flags.BoolVar(&f.strictCassettes, "strict-cassettes", false, strictCassettesUsage)
}

func (f *playFlags) registerUpdate(flags *pflag.FlagSet) {
	flags.BoolVar(&f.update, "update", false, "record the values of snapshots if nothing else fails; never in CI")
}

// read has a loader read files as the flags say. The error says why snapshots may
// not be recorded.
func (f *playFlags) read(a *app, l *loader, flags *pflag.FlagSet) error {
	l.Now, l.Strict, l.strict = startWatch().started, f.strictCassettes, f.strict
	if flags.Changed("seed") {
		l.Seed = &f.seed
	}
	if f.update {
		return a.mayUpdate()
	}
	return nil
}
