package explore

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// figures are the numbers of a plan. Each list is sorted and has no value twice.
type figures struct {
	// waits are the first waits of retry policies, and after how long a limit of rates
	// lets the next request through; bounds are the longest wait that a server may ask
	// for.
	waits, bounds []time.Duration
	// deadlines are those of workflows, steps, targets and attempts.
	deadlines []time.Duration
	// lives are for how long entries of registries live, and breakers stay open.
	lives []time.Duration
	// thresholds are after how many failures, of as many calls as they count, breakers
	// open, and how many requests limits of rates let through at once.
	thresholds []int
	// statuses are those that the file names, of 400 and above.
	statuses []int
}

// tried are those that decide what is done about a failure.
func (f *figures) tried() faults.Figures {
	return faults.Figures{Statuses: f.statuses, RetryAfters: f.retryAfters(), Deadlines: f.deadlines}
}

// lasting are after how long something is over.
func (f *figures) lasting() []time.Duration {
	list := slices.Concat(f.deadlines, f.lives)
	slices.Sort(list)
	return slices.Compact(list)
}

// figuresOf reads those of a plan in canonical JSON.
func figuresOf(plan []byte) *figures {
	f := &figures{}
	var root map[string]any
	if json.Unmarshal(plan, &root) != nil {
		return f
	}
	delete(root, "scripts") // what the world does, and not the program
	delete(root, "sut")     // how that is started and ended
	delete(root, "outages")
	f.read("", root)
	for _, list := range []*[]time.Duration{&f.waits, &f.bounds, &f.deadlines, &f.lives} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	slices.Sort(f.thresholds)
	f.thresholds = slices.Compact(f.thresholds)
	slices.Sort(f.statuses)
	f.statuses = slices.Compact(f.statuses)
	return f
}

var status = pattern.New(`\b[45][0-9]{2}\b`)

func (f *figures) read(key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			f.read(k, e)
		}
		f.rates(v)
	case []any:
		for _, e := range v {
			f.read(key, e)
		}
	case string:
		for _, text := range status().FindAllString(v, -1) {
			n, _ := strconv.Atoi(text)
			f.statuses = append(f.statuses, n)
		}
	case float64:
		f.number(key, v)
	}
}

// rates are the numbers that two attributes of a policy give together: a breaker may open
// at the earliest when it has counted min_calls, of which a share failed, and a limit
// lets a burst through and then one request after the other.
func (f *figures) rates(v map[string]any) {
	number := func(key string) float64 {
		n, _ := v[key].(float64)
		return n
	}
	if rate, least := number("failure_rate"), number("min_calls"); rate > 0 && least > 0 && number("window_calls")+number("window_ns") > 0 {
		f.thresholds = append(f.thresholds, int(math.Ceil(rate*least)), int(least))
	}
	if minute, burst := number("requests_per_minute"), number("burst"); minute > 0 && burst >= 1 {
		f.thresholds = append(f.thresholds, int(burst))
		f.waits = append(f.waits, time.Duration(float64(time.Minute)/minute))
	}
}

func (f *figures) number(key string, v float64) {
	d := time.Duration(v)
	switch {
	case d <= 0:
	case key == "base_ns":
		f.waits = append(f.waits, d)
	case key == "max_retry_after_ns":
		f.bounds = append(f.bounds, d)
	case key == "threshold" && v == float64(int(v)):
		f.thresholds = append(f.thresholds, int(v))
	case key == "ttl_ns" || key == "reset_ns" || key == "quarantine_after_ns":
		f.lives = append(f.lives, d)
	case strings.HasSuffix(key, "timeout_ns"):
		f.deadlines = append(f.deadlines, d)
	}
}

// retryAfters are the waits that a server may ask for, in whole seconds: below and
// above a policy's own wait, the longest that it accepts and above that, and above the
// nearest deadline.
func (f *figures) retryAfters() []int {
	var list []int
	add := func(d time.Duration) {
		if n := int(d / time.Second); n > 0 && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	for _, d := range f.waits {
		add(d.Truncate(time.Second) + 2*time.Second)
		add(d / 2)
	}
	if len(list) == 0 {
		add(2 * time.Second)
	}
	for _, d := range f.bounds {
		add(d)
		add(d + time.Second)
	}
	if len(f.deadlines) > 0 {
		add(f.deadlines[0] + time.Second)
	}
	return list
}
