//go:build unix

package main

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Shows that no secret that the programs of a bench say stands in clear in anything
// that `scenario bench` leaves: what it prints, its reports, its traces, its log and
// its cache.
func TestPlantedSecretsOfPrograms(t *testing.T) {
	p := &plant{draw: rand.New(rand.NewPCG(21, 22))}
	p.names()
	p.forms()
	dir := t.TempDir()
	var said []planted
	for _, x := range p.list {
		if utf8.ValidString(x.body) && strings.Contains(x.body, x.secret) {
			writeIn(t, dir, "said"+strconv.Itoa(len(said)), x.body)
			said = append(said, x)
		}
	}
	if testing.Short() {
		said = said[:len(said)/4]
	}
	environment := []string{"MY_API_KEY=Zq81-hush-hush-9977-long", "OPENAI_API_KEY=plain words of no known form 31"}
	for _, pair := range append(environment, "SHOP_PASSWORD=given=by=the=file=4711") {
		name, value, _ := strings.Cut(pair, "=")
		for _, secret := range []string{value, base64.StdEncoding.EncodeToString([]byte(value))} {
			writeIn(t, dir, "said"+strconv.Itoa(len(said)), fmt.Sprintf(`{"passed": true, "answer": %q} and %s`, secret, secret))
			said = append(said, planted{what: name, secret: secret})
		}
	}
	if len(said) < 40 {
		t.Fatalf("only %d secrets are planted", len(said))
	}
	var cases []string
	for i := range said {
		cases = append(cases, fmt.Sprintf("{ id = \"%d\" }", i))
	}
	bench := func(name, sut, rubric string) string {
		return fmt.Sprintf("bench %q {\n  cases = [%s]\n  taxonomy = taxonomy.t\n  gate \"g\" { min_passed = 1 }\n  sut {\n%s\n}\n  rubric {\n%s\n}\n}\n", name, strings.Join(cases, ", "), sut, rubric)
	}
	given := "\nenv = { SHOP_PASSWORD = \"given=by=the=file=4711\" }\n"
	say := `command = ["sh", "-c", "cat said$1 >&2; exit 3", "sh", case.id]` + given
	echo := `command = ["sh", "-c", "cat said$1", "sh", case.id]` + "\noutput = \"process\"" + given
	quiet := `command = ["sh", "-c", "echo '{}'"]`
	writeIn(t, dir, "b.scenario.hcl", "taxonomy \"t\" {\n  mode \"m\" { severity = \"warn\" }\n}\n"+
		bench("sut", say, "passed = output.exit_code == 0")+
		bench("rubric", quiet, `command = ["sh", "-c", "cat $2/said$1 >&2; exit 3", "sh", case.id, "./"]`+given)+
		bench("score", quiet, `command = ["sh", "-c", "cat $2/said$1", "sh", case.id, "./"]`+given)+
		bench("detail", echo, "passed = output.stdout == \"nobody says this\"\nfailure_mode \"m\" {\n  when = output.stdout != \"\"\n  detail = output.stdout\n}"))
	args := []string{"bench", "b.scenario.hcl", "-v", "--cache", "--trace-out", "trace.jsonl"}
	for _, kind := range []string{"html", "junit", "markdown", "json", "ctrf", "tap", "github", "text", "merge"} {
		args = append(args, "--report", kind+"=report."+kind)
	}
	out, code := commandIn(t, dir, environment, args...)
	if code != 1 || strings.Count(out, "ExitError: exit status 3: ") < len(said) || strings.Count(out, "m (warn): ") < len(said) {
		t.Fatalf("the programs did not say what they should: exit %d\n%.3000s", code, out)
	}
	writeIn(t, dir, "printed", out)
	found := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), "said") || strings.HasSuffix(e.Name(), ".hcl") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, x := range said {
			if shown := x.shownIn(data); shown != "" {
				if found++; found < 20 {
					t.Errorf("%s: %s stands in …%s…", e.Name(), x.what, shown)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d secrets in four benches, %d found", len(said), found)
}
