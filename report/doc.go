// Package report writes the results of scenarios for people and for programs.
// Every format is one value of [Formats]; each gets the same entries in the
// same order and sees nothing else, so that no two of them can disagree.
//
//	r := report.Text(os.Stdout, report.Options{})
//	for _, result := range results {
//		r.Add(report.Entry{Result: result})
//		summary.Add(result)
//	}
//	r.Close(summary)
package report
