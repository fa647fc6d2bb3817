// Package diagnostics is the catalogue of what can be said of a scenario file:
// one entry for each mistake, with a file that makes it.
//
//	for _, e := range diagnostics.Entries() {
//		fmt.Println(e.Slug, e.Summary)
//	}
package diagnostics
