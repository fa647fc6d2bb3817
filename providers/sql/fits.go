package sql

import "github.com/scenario-lang/scenario/providers"

// Fits implements [providers.Fitter]: a column takes what a server could send of its
// type.
func (Adapter) Fits(column providers.Column, value any) error {
	return Sendable(providers.Output{Columns: []providers.Column{column}, Rows: [][]any{{value}}})
}
