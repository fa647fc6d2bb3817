package cassette

import "github.com/scenario-lang/scenario/cassette/internal/flaw"

// A LoadError says why a file is no usable cassette: the file, the line, what
// is wrong and what to do next. The file was only read.
type LoadError = flaw.Error
