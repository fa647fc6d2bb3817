// Package match says whether two requests are the same: by a [Match], which
// names the profile of the comparison, two requests have equal keys
// ([Match.Key]) exactly when [Match.Diff] finds no field in which they differ.
//
//	m := match.Match{Profile: match.Semantic}
//	if diffs := m.Diff(recorded, actual); len(diffs) > 0 {
//		return fmt.Errorf("%s was %s", diffs[0].Path, diffs[0].Recorded)
//	}
//
// [Differ] and [Body] compare answers in the same words.
package match
