package scenario

import (
	"io"

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
// name with env(), and SCENARIO_VAR_x for the variable x. Without it there are
// none; os.LookupEnv gives those of the process.
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

// Progress writes a line for each file that is loaded, the warnings of files,
// and a line for each scenario that has run. It is written to by one goroutine
// at a time.
func Progress(w io.Writer) Option {
	return func(s *settings) { s.progress = w }
}
