package job

import "testing"

// Shows which streams are told to be of a run: those that a queue makes for it, and no others
// that are called alike, nor those that all runs share.
func TestRunOf(t *testing.T) {
	for _, c := range []struct {
		stream   string
		subjects []string
		run      string
	}{
		{"scenario-work-r1", []string{"scenario.work.r1.>"}, "r1"},
		{"scenario-result-r1", []string{"scenario.result.r1.*"}, "r1"},
		{"scenario-extra-r1", []string{"scenario.extra.r1.*.*"}, "r1"},
		{"KV_scenario-rate-r1-2", []string{"$KV.scenario-rate-r1-2.>"}, "r1"},
		{"KV_scenario-rate-r-1-12", []string{"$KV.scenario-rate-r-1-12.>"}, "r-1"},
		{"scenario-work-r1", []string{"orders.>"}, ""},
		{"scenario-work-r1", []string{"scenario.work.r2.>"}, ""},
		{"scenario-work-r1", []string{"scenario.work.r1.>", "orders.>"}, ""},
		{"scenario-work-r1", nil, ""},
		{"scenario-work-", []string{"scenario.work..>"}, ""},
		{"scenario-result-r1", []string{"scenario.work.r1.>"}, ""},
		{"my-scenario-work-r1", []string{"scenario.work.r1.>"}, ""},
		{"KV_scenario-rate-r1-2", []string{"$KV.scenario-rate-r1-1.>"}, ""},
		{"KV_scenario-rate-r1", []string{"$KV.scenario-rate-r1.>"}, ""},
		{BucketStream(RunsBucket), []string{"$KV.scenario-runs.>"}, ""},
		{BucketStream(WorkersBucket), []string{"$KV.scenario-workers.>"}, ""},
		{BucketStream(BegunBucket), []string{"$KV.scenario-begun.>"}, ""},
		{"OBJ_scenario-bundles", []string{"$O.scenario-bundles.C.>", "$O.scenario-bundles.M.>"}, ""},
		{"orders", []string{"orders.>"}, ""},
	} {
		if got := RunOf(c.stream, c.subjects); got != c.run {
			t.Errorf("%s with %q is of %q, want %q", c.stream, c.subjects, got, c.run)
		}
	}
}
