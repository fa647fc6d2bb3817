// Package passed finds what a scenario passes over: a condition of a step that was not asked, as the run had ended
// before, and steps inside others that a check which goes over all steps does not see.
//
//	for _, p := range passed.Skipped(observed) {
//		fmt.Println(p) // step parcel: it is skipped as order failed with 402: its when was not asked in this scenario
//	}
package passed
