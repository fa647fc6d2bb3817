package interp

import (
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

const recordedFile = `
provider "openai" "primary" { model = "m" }
workflow "ask" {
  provider = provider.primary
  step "llm" "answer" { prompt = "hi" }
}
scenario "s" {
  run = workflow.ask
  on "answer" {
    reply { content = "hello" }
  }
  snapshot "n" { value = step.answer.content }
}
`

// recorded compiles the file above, which stands at a place and finds a record.
func recorded(t *testing.T, place, golden string) *Plan {
	t.Helper()
	return recordedOf(t, recordedFile, place, golden)
}

func recordedOf(t *testing.T, source, place, golden string) *Plan {
	t.Helper()
	file, diags := dsl.Parse("a.scenario.hcl", []byte(source))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	suite, diags := Compile(file, Options{Place: place, ReadSnapshot: func(path string) ([]byte, error) {
		if path != "snapshots/a/s/n.golden" {
			t.Errorf("the record is looked for in %s", path)
		}
		if golden == "" {
			return nil, fs.ErrNotExist
		}
		return []byte(golden), nil
	}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return suite.Plans[0]
}

// A result depends on the record, so the hash of the plan covers it; the run
// does not, so its id is the same with any record, or a record of the id itself
// would never be found again.
func TestSnapshotRecordsAreInTheHashAlone(t *testing.T) {
	hashes := map[string]bool{}
	for golden, want := range map[string]Verdict{"": Fail, `"hello"`: Pass, ` "hello" `: Pass, `"bye"`: Fail, `"hello" 1`: Fail, `{`: Fail} {
		p := recorded(t, "", golden)
		hashes[p.Hash()] = true
		if r := Run(p, RunOptions{}); r.Verdict != want || r.Snapshots[0].Same != (want == Pass) {
			t.Errorf("%q: %s %v, want %s", golden, r.Verdict, r.Problems, want)
		}
		if got, want := p.RunID(), recorded(t, "", "").RunID(); got != want {
			t.Errorf("%q: the run has the id %s, without a record %s", golden, got, want)
		}
	}
	if len(hashes) != 6 {
		t.Errorf("six records give %d hashes", len(hashes))
	}
}

// Equal scenarios in two files have runs of different ids, and one file has the
// same id wherever the command is started.
func TestRunIDTellsFilesApart(t *testing.T) {
	one, two := recorded(t, "one/a.scenario.hcl", ""), recorded(t, "two/a.scenario.hcl", "")
	if one.RunID() == two.RunID() {
		t.Error("two files share a run id")
	}
	if again := recorded(t, "one/a.scenario.hcl", ""); one.RunID() != again.RunID() {
		t.Error("one file has two run ids")
	}
	if one.Hash() != two.Hash() {
		t.Error("where a scenario stands is no part of what it means")
	}
}

// original reads an escaped name back, written from the description of the
// escapes and not from the code.
func original(t *testing.T, escaped string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(escaped); i++ {
		switch c := escaped[i]; c {
		case '^':
			i++
			b.WriteByte(escaped[i] - 'a' + 'A')
		case '%':
			hex := func(c byte) byte { return byte(strings.IndexByte("0123456789abcdef", c)) }
			b.WriteByte(hex(escaped[i+1])<<4 | hex(escaped[i+2]))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// A name of a record leads nowhere else, is told from every other name on file
// systems that ignore case, and none is too long. That two names never meet
// follows from being able to read every short one back.
func FuzzFileName(f *testing.F) {
	for _, s := range []string{
		"two server errors, then an answer", "V22 Threshold", "..", ".", "../../etc/passwd", `a\b`, "a/b", "C:", "con", "CON", "con.x", "com1", "com10", "lpt9.a", "nul ",
		" lead", "trail ", "dot.", "x[env=prod]", "50%", "^a", "~", "é", "漢字", "a\x00b", "A", "a", strings.Repeat("x", 500), strings.Repeat("X", 100),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := plan.FileName(name)
		if len(got) > 200 || !utf8.ValidString(got) || strings.ToLower(got) != got {
			t.Fatalf("%q gives %q, which is too long, no text or has capitals", name, got)
		}
		if strings.ContainsAny(got, "/\\:*?\"<>|\x00\n") || strings.HasPrefix(got, ".") || strings.HasSuffix(got, ".") || strings.HasSuffix(got, " ") {
			t.Fatalf("%q gives %q, which not every file system takes", name, got)
		}
		if stem, _, _ := strings.Cut(got, "."); stem == "con" || stem == "nul" || stem == "com1" || stem == "lpt9" {
			t.Fatalf("%q gives %q, which is a device of Windows", name, got)
		}
		if strings.Contains(got, "~") {
			if other := plan.FileName(name + "x"); other == got {
				t.Fatalf("%q and one letter more are both %q", name, got)
			}
			return
		}
		if back := original(t, got); back != name {
			t.Fatalf("%q gives %q, which reads back as %q", name, got, back)
		}
	})
}

// Shows that a record in which there is nothing shows nothing, and is no check of
// its own.
func TestSnapshotsOfNothing(t *testing.T) {
	for value, c := range map[string]struct {
		golden string
		shows  bool
	}{
		`step.answer.error`:     {"null", false},
		`step.answer.delays_ms`: {"[]", false},
		`{ error = step.answer.error, waits = step.answer.delays_ms }`: {`{"error":null,"waits":[]}`, false},
		`step.answer.content`: {`"hello"`, true},
		`{ error = step.answer.error, n = step.answer.retries }`: {`{"error":null,"n":0}`, false},
		`step.answer.retries`:          {"0", false},
		`run.cost_usd`:                 {"0", false},
		`[for s in steps : s.retries]`: {"[0]", false},
		`{ name = step.answer.content, n = step.answer.retries }`: {`{"name":"hello","n":0}`, true},
		`length(events({ type = "retry_wait" }))`:                 {"0", false},
		`metric("scenario_retries_total")`:                        {"0", false},
		`step.answer.elapsed_ms < 5000`:                           {"true", false},
		`step.answer.elapsed_ms > 5000`:                           {"false", false},
		`alltrue([for d in step.answer.delays_ms : d > 5])`:       {"true", false},
		`sum([for d in step.answer.delays_ms : d])`:               {"0", false},
		`coalesce(step.answer.error, "none")`:                     {`"none"`, false},
		`target.primary.in_flight_max`:                            {"1", false},
		`length(step.answer.attempts)`:                            {"1", false},
		`step.answer.status == "success"`:                         {"true", true},
		`step.answer.status == "failed"`:                          {"false", true},
		`step.answer.status == "timeout"`:                         {"false", false},
	} {
		source := strings.Replace(recordedFile, "value = step.answer.content", "value = "+value, 1)
		alone := Run(recordedOf(t, source, "", c.golden), RunOptions{})
		if (alone.Verdict == Pass) != c.shows || (len(alone.Relaxed) == 0) != c.shows {
			t.Errorf("%s: %s: %s", value, alone.Verdict, told(alone))
		}
		other := strings.Replace(source, "  snapshot", "  expect \"answer\" { content = \"hello\" }\n  snapshot", 1)
		if r := Run(recordedOf(t, other, "", c.golden), RunOptions{}); r.Verdict != Pass {
			t.Errorf("%s, beside another check: %s", value, told(r))
		}
	}
}
