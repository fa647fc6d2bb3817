// Package merge puts the parts of a suite together that ran apart: it reads what
// each shard wrote, checks that they make up one suite, and gives their results
// to reports and their traces in the order of the suite.
//
//	shard, err := merge.ReadShard("shard-1.jsonl", file)
//	whole, err := merge.Join([]*merge.Shard{shard})
//	summary, err := whole.Report(report.JSON(w, report.Options{}), w)
package merge
