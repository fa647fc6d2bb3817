package harness

import (
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// PlayFlags are what commands can be told that play the scripts of scenarios.
type PlayFlags struct {
	Strict, strictCassettes, Update bool
	seed                            uint64
}

// RegisterSeed adds --seed.
func (f *PlayFlags) RegisterSeed(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
}

// What --strict and --strict-cassettes do.
const (
	StrictUsage          = "treat warnings about files as errors"
	strictCassettesUsage = "refuse recordings that cannot be verified to be complete"
)

// RegisterStrict adds --strict.
func (f *PlayFlags) RegisterStrict(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Strict, "strict", false, StrictUsage)
	flags.BoolVar(&f.strictCassettes, "strict-cassettes", false, strictCassettesUsage)
}

// RegisterUpdate adds --update.
func (f *PlayFlags) RegisterUpdate(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Update, "update", false, "record the values of snapshots if nothing else fails; never in CI")
}

// Read has a loader read files as the flags say. The error says why snapshots may
// not be recorded.
func (f *PlayFlags) Read(a *cli.App, l *Loader, flags *pflag.FlagSet) error {
	l.Now, l.Strict, l.WarningsFail = cli.StartWatch().Started, f.strictCassettes, f.Strict
	if flags.Changed("seed") {
		l.Seed = &f.seed
	}
	if f.Update {
		return MayUpdate(a)
	}
	return nil
}
