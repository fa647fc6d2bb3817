package interp

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/trace/tracetest"
)

// Whatever bytes a file holds, it is diagnosed or compiled, and what compiles
// runs to an end with every start ended, the same way twice. The second input
// replaces a part of the first example, so that files nearly right are tried as
// often as noise.
func FuzzCompile(f *testing.F) {
	example, err := os.ReadFile("testdata/first.scenario.hcl")
	if err != nil {
		f.Fatal(err)
	}
	typical, err := os.ReadFile(typicalFile)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example, uint16(0), uint16(0))
	f.Add(typical, uint16(0), uint16(0))
	f.Add([]byte(testWorld+jittered), uint16(0), uint16(0))
	for _, name := range []string{"testdata/wrong.txtar", "testdata/wrong_expand.txtar"} {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files[1:] {
			if strings.HasPrefix(file.Name, "too many") {
				continue // what is nearly like it takes seconds
			}
			f.Add(append(bytes.Clone(archive.Files[0].Data), file.Data...), uint16(0), uint16(0))
		}
	}
	for _, name := range []string{"instances", "override"} {
		example, err := os.ReadFile(suiteDir + "/files/" + name + ".scenario.hcl")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(example, uint16(0), uint16(0))
	}
	for _, part := range []string{"null", "-1", "1e999", "\"\"", "step.answer", "[]", "{}", "\"*\"", "var.x", "\"1ns\"", "times = 3", "retry {}", "}", "${", "1000000000"} {
		for _, at := range []uint16{100, 300, 500, 700, 900, 1100} {
			f.Add([]byte(part), at, uint16(len(part)))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, at, cut uint16) {
		if at > 0 || cut > 0 {
			i := int(at) % len(example)
			j := min(len(example), i+int(cut)%64)
			src = append(append(bytes.Clone(example[:i]), src...), example[j:]...)
		}
		if len(src) > 1<<16 {
			return // the limits have tests of their own
		}
		tryFile(t, src)
	})
}

func tryFile(t *testing.T, src []byte) {
	file, diags := dsl.Parse("fuzz.scenario.hcl", src)
	if file == nil && !diags.HasErrors() {
		t.Fatal("neither a file nor an error")
	}
	if diags.HasErrors() {
		return
	}
	suite, diags := Compile(file, Options{})
	if diags.HasErrors() != (suite == nil) {
		t.Fatalf("suite %v with %v", suite, diags)
	}
	for _, d := range diags {
		if d.Summary == "" || d.Detail == "" || d.Subject == nil {
			t.Fatalf("a diagnostic without words or place: %+v", d)
		}
	}
	if suite == nil {
		return
	}
	for _, p := range suite.Plans {
		r := Run(p, RunOptions{EventLimit: 2000})
		if open := tracetest.Unended(r.Events); len(open) > 0 {
			t.Fatalf("%d starts or ends are alone, verdict %s: %s", len(open), r.Verdict, told(r))
		}
		if r.Verdict == Error && strings.Contains(told(r), "panic") {
			t.Fatal(told(r))
		}
		for _, e := range r.Events {
			if err := event.Check(e); err != nil {
				t.Fatal(err)
			}
		}
		if again := Run(p, RunOptions{EventLimit: 2000}); traceOf(t, again) != traceOf(t, r) || told(again) != told(r) {
			t.Fatalf("two runs differ:\n%s\n%s", told(r), told(again))
		}
	}
}

// mutations are values and words that stand where others are expected.
var mutations = []string{
	"null", "0", "-1", "1", "1.5", "1000000", `""`, `"x"`, `"1s"`, `"0s"`, `"1ns"`, `"*"`, `"full"`, `"cycle"`, `"repeat_last"`, `"replay"`, "true", "false", "[]", "{}", "[1, null]",
	"step.a", "step.a.content", "step.b.error", "self.output", "run.status", "input", "var.x", "[for a in step.a.attempts : a.at_ms]", `"${1}"`, "500", "429", "200", "99", "600",
}

// mutate changes a file in a few places: lines go, come twice or change
// places, words and values turn into others.
func mutate(r *rand.Rand, src string) string {
	lines := strings.Split(src, "\n")
	for range 1 + r.IntN(4) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(6) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += "\n" + lines[i]
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		default:
			if name, _, ok := strings.Cut(lines[i], "= "); ok && !strings.HasSuffix(lines[i], "{") {
				lines[i] = name + "= " + mutations[r.IntN(len(mutations))]
			} else {
				other := strings.Fields(lines[j])
				words := strings.Fields(lines[i])
				if len(other) > 0 && len(words) > 0 {
					words[r.IntN(len(words))] = other[r.IntN(len(other))]
					lines[i] = strings.Join(words, " ")
				}
			}
		}
	}
	return strings.Join(lines, "\n")
}

// Files that are right but for a line or a word are diagnosed or run to an end,
// too; most mutants of a fuzzer fall at the first bracket.
func TestMutants(t *testing.T) {
	var sources []string
	for _, path := range append(suiteFiles(t), typicalFile) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(src))
	}
	sources = append(sources, testWorld+jittered, testWorld+jittered, testWorld+jittered)
	valid := 0
	mutants := 250
	if n, err := strconv.Atoi(os.Getenv("SCENARIO_MUTANTS")); err == nil {
		mutants = n
	}
	current := ""
	defer func() {
		if t.Failed() {
			t.Log(current)
		}
	}()
	for seed := range uint64(mutants) {
		r := rand.New(rand.NewPCG(seed, 9))
		src := mutate(r, sources[r.IntN(len(sources))])
		current = src
		if len(diagnose("mutant.scenario.hcl", []byte(src))) == 0 {
			valid++
		}
		hang := time.AfterFunc(time.Minute, func() { panic("this file does not end:\n" + src) })
		tryFile(t, []byte(src))
		hang.Stop()
	}
	if valid < mutants/20 {
		t.Errorf("only %d of %d mutants are valid", valid, mutants)
	}
	t.Logf("%d of %d mutants are valid", valid, mutants)
}
