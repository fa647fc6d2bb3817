package otlp

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// line is a series as the tests of pages compare it.
func line(m Series) string {
	return fmt.Sprintf("%s %s %v %v %v", m.Kind, m.Name, m.Labels, m.Value, m.Sum)
}

func lines(t *testing.T, s *Store) []string {
	t.Helper()
	all, err := s.Metrics("")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range all {
		list = append(list, line(m))
	}
	return list
}

// The example of the format's documentation (prometheus.io, exposition formats)
// is understood.
func TestPageOfTheDocumentation(t *testing.T) {
	for name, text := range map[string]string{
		"as it is":         example(t, "page.txt"),
		"with other ends":  strings.ReplaceAll(example(t, "page.txt"), "\n", "\r\n"),
		"without last end": strings.TrimSuffix(example(t, "page.txt"), "\n"),
		"with tabs":        strings.ReplaceAll(strings.ReplaceAll(example(t, "page.txt"), "} ", "}\t"), "# TYPE ", "  #\tTYPE\t"),
	} {
		changes := 0
		s := NewStore(Options{Changed: func() { changes++ }})
		if err := s.Scrape(strings.NewReader(text)); err != nil {
			t.Fatal(name, err)
		}
		want := []string{
			"histogram http_request_duration_seconds map[] 144320 53423",
			"counter http_request_duration_seconds_bucket map[le:+Inf] 144320 0",
			"counter http_request_duration_seconds_bucket map[le:0.05] 24054 0",
			"counter http_request_duration_seconds_bucket map[le:0.1] 33444 0",
			"counter http_request_duration_seconds_bucket map[le:0.2] 100392 0",
			"counter http_request_duration_seconds_bucket map[le:0.5] 129389 0",
			"counter http_request_duration_seconds_bucket map[le:1] 133988 0",
			"counter http_request_duration_seconds_count map[] 144320 0",
			"counter http_request_duration_seconds_sum map[] 53423 0",
			"counter http_requests_total map[code:200 method:post] 1027 0",
			"counter http_requests_total map[code:400 method:post] 3 0",
			"gauge metric_without_timestamp_and_labels map[] 12.47 0",
			"gauge msdos_file_access_time_seconds map[error:Cannot find file:\n\"FILE.TXT\" path:C:\\DIR\\FILE.TXT] 1.458255915e+09 0",
			"histogram rpc_duration_seconds map[] 2693 1.7560473e+07",
			"counter rpc_duration_seconds_count map[] 2693 0",
			"counter rpc_duration_seconds_sum map[] 1.7560473e+07 0",
			"gauge something_weird map[problem:division by zero] +Inf 0",
		}
		if diff := cmp.Diff(want, lines(t, s)); diff != "" || changes != 1 {
			t.Errorf("%s: %d changes\n%s", name, changes, diff)
		}
	}
}

// OpenMetrics is understood, too, and names in quotes.
func TestOpenMetrics(t *testing.T) {
	s := NewStore(Options{})
	err := s.Scrape(strings.NewReader(`# TYPE calls counter
# UNIT calls calls
calls_total{a="b",} 17.0 1520879607.789 # {trace_id="KOO5S4vxi0o"} 0.67
calls_created{a="b"} 1520430000.123
{"cache.hits", "target.name"="a, b} \q"} 2
open{} 1
# EOF
`))
	want := []string{"gauge cache.hits map[target.name:a, b} \\q] 2 0", "counter calls_total map[a:b] 17 0", "gauge open map[] 1 0"}
	if diff := cmp.Diff(want, lines(t, s)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// Between two looks a page's counters count from the first, where that one was
// the mark; those that began anew count what they say.
func TestTwoLooks(t *testing.T) {
	s := NewStore(Options{})
	look := func(text string) {
		t.Helper()
		if err := s.Scrape(strings.NewReader(strings.TrimSpace(text))); err != nil {
			t.Fatal(err)
		}
	}
	look(`
# TYPE a_total counter
a_total 10
# TYPE again_total counter
again_total 10
# TYPE h histogram
h_count{x="1"} 4
h_sum{x="1"} 40
# TYPE g gauge
g 10
`)
	s.Ready()
	look(`
# TYPE a_total counter
a_total 13
# TYPE again_total counter
again_total 2
# TYPE new_total counter
new_total 5
# TYPE h histogram
h_count{x="1"} 5
h_sum{x="1"} 41.5
h_count{x="2"} 1
h_sum{x="2"} 7
# TYPE g gauge
g 9
g NaN
`)
	want := []string{
		"counter a_total map[] 3 0", "counter again_total map[] 2 0", "gauge g map[] 9 0",
		"histogram h map[x:1] 1 1.5", "histogram h map[x:2] 1 7",
		"counter h_count map[x:1] 1 0", "counter h_count map[x:2] 1 0", "counter h_sum map[x:1] 1.5 0", "counter h_sum map[x:2] 7 0",
		"counter new_total map[] 5 0",
	}
	if diff := cmp.Diff(want, lines(t, s)); diff != "" {
		t.Error(diff)
	}
}

// What a program sends and shows on a page by one name counts once.
func TestSentAndPaged(t *testing.T) {
	s := NewStore(Options{})
	if err := s.Scrape(strings.NewReader("calls 5")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Metric("calls", nil); got != 5 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	taken(t, s, "/v1/metrics", sent("a", counter("calls", cumulative, integer(1, 2, 7))))
	if got, err := s.Metric("calls", nil); got != 7 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// A page that is none is refused with its line, and leaves nothing.
func TestPagesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"<html>":                        "line 1 of the page of metrics: there is no name",
		"ok 1\n\n# c\nbad":              "line 4 of the page of metrics: the value of bad is \"\"",
		"a one":                         `the value of a is "one", and no number`,
		"a 1 later":                     `after the value of a there is "later", and no time`,
		`a{b="c" 1`:                     "neither a comma nor a closing brace",
		`a{b} 1`:                        "the label b has no value",
		`a{b=c} 1`:                      "the label b: there is no quote",
		`a{b="c} 1`:                     "the label b: a quote has no end",
		`a{b="c\`:                       "a quote has no end",
		`{b="c"} 1`:                     "a sample has no name",
		`{"a","b"} 1`:                   "the label b has no value",
		`# TYPE "a counter`:             "a quote has no end",
		"a\xff 1":                       "no text of UTF-8",
		strings.Repeat("#", bodyMost+1): "more than 67108864 bytes",
	} {
		s := NewStore(Options{Changed: func() { t.Error("something has changed") }})
		err := s.Scrape(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
		if s.Received() != (Received{}) {
			t.Errorf("%.40q: %+v", text, s.Received())
		}
	}
}

// FuzzPage: whatever a page says, it is refused or kept, and what is kept can be
// asked for: a sum that is no number is in no answer.
func FuzzPage(f *testing.F) {
	f.Add(example(&testing.T{}, "page.txt"))
	f.Add("# TYPE a counter\na 1e308\na 1e307\na 1.5e308\nb +Inf\nb{c=\"\"} -Inf")
	f.Add(`{"a b",c="\n\\\""} +Inf 1 # {} 1`)
	f.Fuzz(func(t *testing.T, text string) {
		s := NewStore(Options{Most: 100})
		if s.Scrape(strings.NewReader(text)) != nil {
			return
		}
		s.Ready()
		if err := s.Scrape(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		list, err := s.Metrics("")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if m.Name == "" || math.IsNaN(m.Value) {
				t.Errorf("%+v", m)
			}
			if sum, err := s.Metric(m.Name, m.Labels); err != nil && !strings.Contains(err.Error(), "no number") || math.IsNaN(sum) {
				t.Error(err)
			}
		}
	})
}
