package search

import (
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/report"
)

// openReports opens the reports that were asked for, on what; first says that one of
// them goes to standard output in the place of what people read.
func openReports(a *cli.App, values []string, json bool, what string) (o *harness.Outputs, first bool, err error) {
	f := &harness.SuiteFlags{Reports: values, Json: json}
	wanted, err := harness.ParseReports(f, nil)
	if err != nil {
		return nil, false, err
	}
	o = &harness.Outputs{}
	for _, r := range wanted {
		if r.Format.Name == harness.MergeFormat {
			o.Discard()
			return nil, false, cli.Usagef("scenario test writes it, for results that are put together", "--report %s is not a report on %s", harness.MergeFormat, what)
		}
		if r.Path != harness.ToStdout {
			if err := o.Open(a, r, f); err != nil {
				o.Discard()
				return nil, false, err
			}
			continue
		}
		first = true
		o.Aside = append(o.Aside, r.Format.New(harness.ReportOn(a, r.Format), report.Options{Base: harness.Base(a, r.Format), Width: a.Width(), Plain: a.Plain()}))
	}
	o.Reporter = report.Each(o.Aside...)
	return o, first, nil
}
