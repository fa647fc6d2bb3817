package job

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/suite"
)

// A Unit is what a worker runs at once: a scenario, or one trial of one case of a
// bench.
type Unit struct {
	Run string `json:"run"`
	// Position is its place among the units of the run, from 1.
	Position int `json:"position"`
	// File and Name are those of the scenario or bench.
	File string `json:"file"`
	Name string `json:"name"`
	// Bench counts the benches of the run from 1, 0 for a scenario. Case and Trial
	// are of a bench.
	Bench int    `json:"bench,omitempty"`
	Case  string `json:"case,omitempty"`
	Trial int    `json:"trial,omitempty"`
	// Input and Rubric identify what a case asks and what scores it.
	Input  string `json:"input,omitempty"`
	Rubric string `json:"rubric,omitempty"`
	// PlanHash is that of the plan that the submitter compiled.
	PlanHash string `json:"plan_hash"`
}

func (u Unit) String() string {
	if u.Bench == 0 {
		return fmt.Sprintf("%q (%s)", u.Name, u.File)
	}
	return fmt.Sprintf("case %q, trial %d of %q (%s)", u.Case, u.Trial, u.Name, u.File)
}

// A Run is what workers have to know of the units of a submission together.
type Run struct {
	ID string `json:"run"`
	// Bundle is the digest of the files, and Cwd where the submitter saw them from.
	Bundle string `json:"bundle"`
	Cwd    string `json:"cwd"`
	// Version is the build of the submitter, for messages.
	Version string `json:"version"`
	// Units is how many there are, and Sealed that all of them are in the queue.
	Units  int  `json:"units"`
	Sealed bool `json:"sealed"`
	// Over says that all of them have results.
	Over bool `json:"over,omitempty"`
	// Benches are those of the run, in order; nil where it runs scenarios.
	Benches []Bench `json:"benches,omitempty"`
	// Frame is what is reported beside the results.
	Frame harness.Frame `json:"frame"`
	// Selected are the scenarios or benches of the files that were asked for, nil for all.
	Selected *Selection `json:"selected,omitempty"`
	// Unread says that a report shows which parts of requests no check reads.
	Unread bool `json:"unread,omitempty"`
	// Trials and Concurrency override those of the benches, where not 0.
	Trials int `json:"trials,omitempty"`
	// Seed overrides that of every scenario, where not nil.
	Seed *uint64 `json:"seed,omitempty"`
	// Given are the values of variables by file and name, but for those of Sensitive:
	// these a worker has to have in its own environment, like those of Environment.
	Given       map[string]map[string]string `json:"given,omitempty"`
	Sensitive   []string                     `json:"sensitive,omitempty"`
	Environment []string                     `json:"environment,omitempty"`
	// Exclusive are the names that only one unit at a time may use.
	Exclusive []string `json:"exclusive,omitempty"`
	// AckWait is how long a worker may be silent before its units are handed out
	// again, and Deliveries how often that happens at most.
	AckWait    time.Duration `json:"ack_wait"`
	Deliveries int           `json:"deliveries"`
}

// Heartbeat is how often a worker says that it still works.
func (r *Run) Heartbeat() time.Duration { return r.AckWait / 3 }

// A Selection says which scenarios or benches of a run's files were asked for. A worker
// compiles no others: what they are compiled from did not travel.
type Selection struct {
	Run    *regexp.Regexp           `json:"run,omitempty"`
	Skip   *regexp.Regexp           `json:"skip,omitempty"`
	Tags   []string                 `json:"tags,omitempty"`
	Places map[string][]suite.Place `json:"places,omitempty"`
}

// Selected is what a selection of a command line says, nil where it takes everything.
func Selected(s *suite.Selection) *Selection {
	if !s.Narrows() {
		return nil
	}
	return &Selection{Run: s.Run, Skip: s.Skip, Tags: s.Tags, Places: s.Places}
}

// Wanted reports what the run is made of; it is nil where that is everything.
func (s *Selection) Wanted() func(*suite.File, *interp.Plan) bool {
	if s == nil {
		return nil
	}
	return (&suite.Selection{Run: s.Run, Skip: s.Skip, Tags: s.Tags, Places: s.Places}).Selects
}

// A Bench is one bench of a run.
type Bench struct {
	File string `json:"file"`
	Name string `json:"name"`
	// Part says that not all of its cases are run.
	Part bool `json:"part,omitempty"`
	// Exclusive and Rate are those of the bench.
	Exclusive string  `json:"exclusive,omitempty"`
	Rate      float64 `json:"rate,omitempty"`
}

// The names of what a queue has of a run.
const (
	RunsBucket    = "scenario-runs"
	WorkersBucket = "scenario-workers"
	BegunBucket   = "scenario-begun"
	Bundles       = "scenario-bundles"
)

// BucketStream is the stream that a bucket is kept in, and OperationHeader is what a message
// there has that says that a key has no value any more.
func BucketStream(bucket string) string { return "KV_" + bucket }

// OperationHeader is described at BucketStream.
const OperationHeader = "KV-Operation"

// WorkStream is the stream of the units that wait.
func WorkStream(run string) string { return "scenario-work-" + run }

// ResultStream is the stream of results, the first of each unit.
func ResultStream(run string) string { return "scenario-result-" + run }

// ExtraStream is the stream of results that came second and have to be told of.
func ExtraStream(run string) string { return "scenario-extra-" + run }

// RateBucket holds the beginnings of the trials of a bench that has a rate.
func RateBucket(run string, bench int) string { return fmt.Sprintf("scenario-rate-%s-%d", run, bench) }

// UnitsObject is the list of all units of a run.
func UnitsObject(run string) string { return "units-" + run }

// Lane is the name of the consumer that hands a unit out: one for all that may run
// beside each other, and one for each name that excludes.
func Lane(exclusive int) string {
	if exclusive == 0 {
		return "any"
	}
	return "x" + strconv.Itoa(exclusive)
}

// WorkSubject is where a unit is queued.
func WorkSubject(run, lane string, position int) string {
	return fmt.Sprintf("scenario.work.%s.%s.%d", run, lane, position)
}

// WorkSubjects matches those of all units of a run.
func WorkSubjects(run string) string { return "scenario.work." + run + ".>" }

// LaneSubjects matches those of the units of a run that a consumer hands out.
func LaneSubjects(run, lane string) string { return fmt.Sprintf("scenario.work.%s.%s.*", run, lane) }

// ResultSubject is where what a unit came to is stored.
func ResultSubject(run string, position int) string {
	return fmt.Sprintf("scenario.result.%s.%d", run, position)
}

// ResultSubjects matches those of all units of a run.
func ResultSubjects(run string) string { return "scenario.result." + run + ".*" }

// ExtraSubject is where a second result of a kind is stored, and ExtraSubjects matches
// those of all units.
func ExtraSubject(run, kind string, position int) string {
	return fmt.Sprintf("scenario.extra.%s.%s.%d", run, kind, position)
}

// ExtraSubjects is described at ExtraSubject.
func ExtraSubjects(run, kind string) string { return fmt.Sprintf("scenario.extra.%s.%s.*", run, kind) }

// PositionOf is the place of a unit by the subject of its result, 0 for another
// subject.
func PositionOf(subject string) int {
	n, err := strconv.Atoi(subject[strings.LastIndexByte(subject, '.')+1:])
	if err != nil {
		return 0
	}
	return n
}

// The header fields of a result.
const (
	// CostHeader is what a trial cost in dollars, and BenchHeader of which bench it is.
	CostHeader  = "Scenario-Cost"
	BenchHeader = "Scenario-Bench"
	// WorkerHeader is who made it, and DeliveryHeader how often the unit had been
	// handed out then.
	WorkerHeader   = "Scenario-Worker"
	DeliveryHeader = "Scenario-Delivery"
	// FailedHeader is there where a scenario or a trial did not pass.
	FailedHeader = "Scenario-Failed"
	// KindHeader says what a result is that is not simply one: one of the kinds below.
	KindHeader = "Scenario-Kind"
)

// The kinds of results that no run of the unit made, and of second ones.
const (
	KindLost     = "worker_lost"
	KindUnrun    = "not_run"
	KindDiffers  = "differs"
	KindRepeated = "repeated"
)

// A Trial is what one trial of a bench came to.
type Trial struct {
	Type   string       `json:"type"`
	Record bench.Record `json:"record"`
	// Unrun says why it was not run, "" where it was.
	Unrun string `json:"unrun,omitempty"`
}

// Line is the trial as it is stored.
func (t Trial) Line() ([]byte, error) {
	t.Type = "trial"
	line, err := json.Marshal(t)
	return append(line, '\n'), err
}

// Timeless is what two runs of a deterministic trial agree on: all of it but the time
// that they took on a real clock.
func (t Trial) Timeless() string {
	t.Record.Result.Elapsed = 0
	line, err := t.Line()
	if err != nil {
		return err.Error()
	}
	return string(line)
}

// A Presence is what a worker says of itself.
type Presence struct {
	Name     string `json:"name"`
	Host     string `json:"host"`
	PID      int    `json:"pid"`
	Parallel int    `json:"parallel"`
	// Running are the units that it has had for longer than a heartbeat.
	Running []Unit `json:"running,omitempty"`
	// Open are the runs of which it has units in hand, however short.
	Open []string `json:"open,omitempty"`
	// Refuses are the runs that it does not work for, with the reasons.
	Refuses map[string]string `json:"refuses,omitempty"`
	// Left says that it has ended in order.
	Left bool `json:"left,omitempty"`
	// Every is how often it says so.
	Every time.Duration `json:"every"`
}
