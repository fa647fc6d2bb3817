package help

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// ranExample compiles an example, which is valid and formatted, and runs it.
func ranExample(t *testing.T, source string, files map[string]string) *interp.Result {
	t.Helper()
	if got := string(dsl.Format([]byte(source))); got != source {
		t.Errorf("not formatted: %s", cmp.Diff(got, source))
	}
	var diags hcl.Diagnostics
	file, diags := dsl.Parse("help.scenario.hcl", []byte(source))
	if diags.HasErrors() {
		t.Fatalf("%s\n%s", diags, source)
	}
	suite, diags := interp.Compile(file, interp.Options{LoadCassette: func(path string) (*cassette.Cassette, error) {
		text, ok := files[path]
		if !ok {
			return nil, fmt.Errorf("there is no %s", path)
		}
		return cassette.Parse(path, []byte(text))
	}})
	if len(diags) > 0 {
		t.Fatalf("%v\n%s", diags, source)
	}
	return interp.Run(suite.Plans[0], interp.RunOptions{})
}

func problems(r *interp.Result) (list []string) {
	for _, p := range r.Problems {
		list = append(list, p.Name+": "+p.Message)
	}
	return list
}

// Shows that every kind of fault and of step has an example that passes, and
// that every gate has one that breaks it, and no other gate, where a workflow can.
func TestExamples(t *testing.T) {
	for _, class := range Classes() {
		for _, name := range Names(class) {
			t.Run(string(class)+" "+name, func(t *testing.T) {
				source, files := Example(class, name)
				if source == "" {
					t.Fatal("there is no example")
				}
				r := ranExample(t, source, files)
				if class != Gate {
					if r.Verdict != interp.Pass {
						t.Errorf("%s: %q\n%s", r.Verdict, problems(r), source)
					}
					return
				}
				gate := interp.GateTable()[slices.Index(Names(Gate), name)]
				// What a recording is not asked for is left over, too.
				rest := slices.DeleteFunc(r.Problems, func(p interp.Problem) bool {
					return p.Name == "unused_interaction" && len(files) > 0 && name != p.Name
				})
				switch broken := slices.ContainsFunc(rest, func(p interp.Problem) bool { return p.Name == name }); {
				case gate.Driven && r.Verdict != interp.Skip:
					t.Errorf("%s: it is not about a program", r.Verdict)
				case !gate.Driven && (!broken || len(rest) > 1):
					t.Errorf("%s: %q", r.Verdict, problems(r))
				}
			})
		}
	}
}

// Shows that an example of a fault has that fault in it, and one of a kind of step
// such a step.
func TestExamplesAreAboutTheirWord(t *testing.T) {
	for class, mark := range map[Class]string{Fault: "fault %q", Kind: "step %q"} {
		for _, name := range Names(class) {
			if source, _ := Example(class, name); !strings.Contains(source, fmt.Sprintf(mark, name)) {
				t.Errorf("%s %s:\n%s", class, name, source)
			}
		}
	}
}

// Shows that every word is explained in lines of a readable width that name it,
// and that a word that is none is not.
func TestTexts(t *testing.T) {
	for _, class := range Classes() {
		for _, topic := range Topics(class) {
			text, ok := Text(class, topic.Name)
			if !ok || topic.Summary == "" || !strings.Contains(List(class), topic.Name) {
				t.Errorf("%s %s is not explained", class, topic.Name)
			}
			for line := range strings.Lines(text) {
				if len([]rune(line)) > 110 || strings.Contains(line, "%!") || strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") {
					t.Errorf("%s %s: %q", class, topic.Name, line)
				}
			}
		}
		if _, ok := Text(class, "no such thing"); ok {
			t.Errorf("%s explains what is not there", class)
		}
	}
}

// observed is what becomes of a fault on a language model without a stream, and
// where it is not for those on the first place that it is for; the second column
// says whether it is retried.
const observed = `
timeout                 | timeout                | yes
http_error              | http_status            | yes
stream_truncate         | stream_interrupted     | yes
connection_reset        | connection (reset)     | yes
partial_response        |                        | no
connection_refused      | connection (refused)   | yes
dns_error               | connection (dns)       | yes
tls_error               | connection (tls)       | yes
slow_stream             |                        | no
error_in_200            | http_status            | yes
error                   | exception              | no
tool_error              | tool_error             | no
session_expired         | session_expired        | yes
db_down                 | db_error               | yes
pool_exhausted          | pool_timeout           | yes
refuse                  | target_unavailable     | yes
`

// Shows what faults are said to be observed as, for those about which the
// specification leaves no doubt, and that the places of every kind are all there.
func TestObservations(t *testing.T) {
	want := map[string][2]string{}
	for line := range strings.Lines(observed) {
		if cells := strings.Split(line, "|"); len(cells) == 3 {
			want[strings.TrimSpace(cells[0])] = [2]string{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])}
		}
	}
	for _, k := range faults.Kinds() {
		list := Observations(k)
		if len(list) == 0 {
			t.Errorf("%s is observed nowhere", k.Name)
			continue
		}
		if w, ok := want[k.Name]; ok && (list[0].Failure != w[0] || list[0].Retried != (w[1] == "yes")) {
			t.Errorf("%s: %+v, want %q", k.Name, list[0], w)
		}
		seen, everywhere := map[string]bool{}, false
		for _, o := range list {
			for _, where := range o.Where {
				seen[strings.Fields(where)[0]] = true
			}
			everywhere = everywhere || len(o.Where) == 0 && o.Arguments == ""
			if kind, _, _ := strings.Cut(o.Failure, " "); kind != "" && !slices.Contains(failure.Kinds(), failure.Kind(kind)) {
				t.Errorf("%s: no kind of failure: %+v", k.Name, o)
			}
		}
		for _, where := range k.For {
			if word := strings.Fields(where)[0]; word != "sut" && word != "stream" && !seen[word] && !everywhere {
				t.Errorf("%s: nothing is said of %s", k.Name, where)
			}
		}
	}
}

// Shows that every word is found without its class, and that a class is meant in
// the plural, too.
func TestFind(t *testing.T) {
	for _, class := range Classes() {
		for _, name := range Names(class) {
			if found := Find(name); !slices.Contains(found, class) {
				t.Errorf("%s %s: found in %q", class, name, found)
			}
		}
		for _, word := range []string{string(class), string(class) + "s"} {
			if got, ok := ClassOf(word); !ok || got != class {
				t.Errorf("%s means %q", word, got)
			}
		}
	}
	if found := Find("no such thing"); len(found) > 0 {
		t.Errorf("found in %q", found)
	}
	if got, ok := ClassOf("things"); ok {
		t.Errorf("things means %q", got)
	}
}
