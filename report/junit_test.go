package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// junitRules are the elements of testdata/junit.xsd: the attributes each must
// have, and what may stand in it.
var junitRules = map[string]struct {
	attrs    string
	children string
}{
	"testsuites": {"name tests failures errors time", "testsuite"},
	"testsuite":  {"name tests failures errors skipped time", "properties testcase"},
	"properties": {"", "property"},
	"property":   {"name value", ""},
	"testcase":   {"name classname time", "skipped failure error system-out system-err"},
	"skipped":    {"message", ""},
	"failure":    {"message type", "text"},
	"error":      {"message type", "text"},
	"system-out": {"", "text"},
	"system-err": {"", "text"},
}

// checkJUnit says where a document breaks the rules, and counts its elements.
func checkJUnit(doc string) (counts map[string]int, err error) {
	counts = map[string]int{}
	var open []string
	dec := xml.NewDecoder(strings.NewReader(doc))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return counts, nil
		} else if err != nil {
			return counts, err
		}
		parent := "document"
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			rule, known := junitRules[name]
			if !known || parent != "document" && !strings.Contains(" "+junitRules[parent].children+" ", " "+name+" ") || parent == "document" && name != "testsuites" {
				return counts, fmt.Errorf("%s in %s", name, parent)
			}
			var attrs []string
			for _, a := range x.Attr {
				attrs = append(attrs, a.Name.Local)
			}
			if strings.Join(attrs, " ") != rule.attrs {
				return counts, fmt.Errorf("%s has the attributes %v, want %s", name, attrs, rule.attrs)
			}
			counts[name]++
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if strings.TrimSpace(string(x)) != "" && junitRules[parent].children != "text" {
				return counts, fmt.Errorf("text in %s: %q", parent, x)
			}
		}
	}
}

// Shows that the report has the structure of the schema and counts what was
// told, whatever names and answers hold; where xmllint is there it agrees.
func TestJUnitSchema(t *testing.T) {
	for name, all := range suites() {
		doc := written(t, JUnit, all, incompleteSuite)
		counts, err := checkJUnit(doc)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, doc)
		}
		problems := 0
		for _, e := range all {
			problems += len(e.Result.Problems)
		}
		if counts["testcase"] != len(all)+1 || counts["failure"]+counts["error"] != problems+1 {
			t.Errorf("%s: %v for %d entries with %d problems", name, counts, len(all), problems)
		}
		xmllint(t, doc)
	}
}

func xmllint(t *testing.T, doc string) {
	t.Helper()
	lint, err := exec.LookPath("xmllint")
	if err != nil {
		return
	}
	path := filepath.Join(t.TempDir(), "junit.xml")
	if err := os.WriteFile(path, []byte(doc), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(lint, "--noout", "--schema", "testdata/junit.xsd", path).CombinedOutput(); err != nil {
		t.Errorf("%s\n%s", out, doc)
	}
}

// Shows the whole of a report: suites by file, a failure for each problem with
// its kind as type, virtual times in seconds, the timeline, a skip's reason.
func TestJUnit(t *testing.T) {
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="scenario" tests="4" failures="1" errors="0" time="64.001">
  <testsuite name="a.scenario.hcl" tests="3" failures="1" errors="0" skipped="1" time="64.001">
    <properties>
      <property name="clock" value="virtual"></property>
    </properties>
    <testcase name="one" classname="a.scenario.hcl" time="3.000">
    </testcase>
    <testcase name="two" classname="a.scenario.hcl" time="61.001">
      <failure message="assert &quot;backs off&quot;: it waits too long" type="assert">assert "backs off"  a.scenario.hcl:3
3 │     condition = [
4 │       for a in step.answer.attempts : a.at_ms
5 │     ] == [0, 1000, 3000]
├ [for a in step.answer.attempts : a.at_ms] = [0, 2000]
[1]: 2000, want 1000
it waits too long</failure>
      <failure message="gate &quot;no_assertion&quot;: nothing is &lt;checked&gt;" type="gate">gate "no_assertion"  a.scenario.hcl:1
nothing is &lt;checked&gt;
hint: check something</failure>
      <system-out>       0s  answer
       0s    attempt 1 at primary: failure http_status 500 (fault http_error)
       0s    waits 2s
       2s    answer success</system-out>
    </testcase>
    <testcase name="three" classname="a.scenario.hcl" time="0.000">
      <skipped message="later"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="b.scenario.hcl" tests="1" failures="0" errors="0" skipped="0" time="0.000">
    <properties>
      <property name="clock" value="virtual"></property>
    </properties>
    <testcase name="four" classname="b.scenario.hcl" time="0.000">
      <system-err>allowed: unused_reply: one is left</system-err>
    </testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, written(t, JUnit, entries(), nil)); diff != "" {
		t.Error(diff)
	}
}
