// Package lint warns of what a file says without effect although nothing is wrong
// with it: declarations that nobody uses, scenarios that differ in nothing, texts
// that look like references of other tools and are sent as they are. A check that
// is constant is the one error among them. It looks at the file as it is written,
// before anything is evaluated.
//
//	for _, d := range lint.File(file) {
//		fmt.Println(d.Summary)
//	}
package lint
