// Package constant finds conditions that look like checks and are none: those that
// are true, or false, whatever a run does. Everything that a condition observes
// counts as unknown; what is known of the result all the same follows from its
// form: two equal operands, a length that is compared with less than 0, a pattern
// that is in every string, x != "a" || x != "b".
//
//	for _, f := range constant.Find(condition, source) {
//		fmt.Println(f.Why)
//	}
//
// It looks at the form alone and needs no shapes, so once for each file is enough,
// and it never takes a condition for constant that can be both.
package constant
