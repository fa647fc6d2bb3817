package scenario

import (
	"cmp"
	"io"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/suite"
)

// An Option says how a suite is loaded.
type Option func(*settings)

// settings are what the options say.
type settings struct {
	loader   suite.Loader
	vars     suite.Variables
	files    map[string]string
	progress io.Writer

	extensions language.Extensions
	// wrong is the first thing that is wrong with the options.
	wrong error
}

// Var gives a variable a value, as --var does: the text is converted to the
// type of the variable. A variable that no file declares is an error.
func Var(name, text string) Option {
	return func(s *settings) { s.vars.Set(name, text) }
}

// Seed replaces the seed of every scenario, from which all random choices of a
// run are drawn.
func Seed(n uint64) Option {
	return func(s *settings) { s.loader.Seed = &n }
}

// Env lets files read variables of an environment: those that provider blocks
// name with env(), and SCENARIO_VAR_x for the variable x. os.LookupEnv gives those
// of the process; a variable that lookup does not know is an error of the file.
// Without this option there are none, and env() gives a placeholder such as
// "env-region.invalid", as in scenario test.
func Env(lookup func(name string) (value string, ok bool)) Option {
	return func(s *settings) { s.loader.Env = lookup }
}

// File adds a file to the file system, or puts one in the place of another: a
// scenario file, an import, a cassette, whatever is read. The name is a path
// with slashes, from the root of the file system.
func File(name, text string) Option {
	return func(s *settings) {
		if s.files == nil {
			s.files = map[string]string{}
		}
		s.files[name] = text
	}
}

// Function adds a function of values to the language, which stdlib.NewFunc makes.
// A function gives equal results for equal arguments. Name and version are part
// of the hash of every plan; a name that exists is an error of [Load].
func Function(f stdlib.Func, version string) Option {
	return func(s *settings) { s.wrong = cmp.Or(s.wrong, s.extensions.AddFunction(f, version)) }
}

// Provider adds a kind of provider to the language, such as a gateway of one's
// own, as [Function] adds a function.
func Provider(k *catalog.Kind, version string) Option {
	return func(s *settings) { s.wrong = cmp.Or(s.wrong, s.extensions.AddProvider(k, version)) }
}

// Fault adds a kind of fault to the language, as [Function] adds a function.
func Fault(k *faults.Kind, version string) Option {
	return func(s *settings) { s.wrong = cmp.Or(s.wrong, s.extensions.AddFault(k, version)) }
}

// Progress writes a line for each file that is loaded, the warnings of files,
// and a line for each scenario that has run. It is written to by one goroutine
// at a time.
func Progress(w io.Writer) Option {
	return func(s *settings) { s.progress = w }
}
