package sut_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// mailer, in the environment, is what makes a test the program: it sends a mail to each address of list.csv, or
// with the value "once" to each that it has not sent one to.
const mailer = "SUT_TEST_MAILER"

func sendMails(once bool) error {
	text, err := os.ReadFile("list.csv")
	if err != nil {
		return err
	}
	sent := map[string]bool{}
	for _, to := range strings.Fields(string(text)) {
		if once && sent[to] {
			continue
		}
		sent[to] = true
		resp, err := http.Post(os.Getenv("SHOP")+"/mail", "application/json", strings.NewReader(fmt.Sprintf(`{"to": %q}`, to)))
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
	}
	return nil
}

// Shows that a check which counts distinct values is told of where no file that the program may have read has one
// of them twice, whether the program looks for duplicates or not, and not where a file has, where one could not be
// read, or where the program that does not look for them fails.
func TestNearFiles(t *testing.T) {
	if how := os.Getenv(mailer); how != "" {
		if err := sendMails(how == "once"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const plain = "ann@a.test\nbob@a.test\ncy@a.test\n"
	large := strings.Repeat("x", 2<<20)
	earlier := time.Now().Add(-time.Minute)
	for name, c := range map[string]struct {
		how   string
		files map[string]string
		fails bool
		told  bool
	}{
		"looks for them":                  {"once", map[string]string{"list.csv": plain}, false, true},
		"looks for none":                  {"always", map[string]string{"list.csv": plain}, false, true},
		"twice":                           {"once", map[string]string{"list.csv": plain + "ann@a.test\n"}, false, false},
		"twice, for one that looks":       {"always", map[string]string{"list.csv": plain + "ann@a.test\n"}, true, false},
		"in another file":                 {"once", map[string]string{"list.csv": plain, "state/sent.json": `["ann@a.test"]`}, false, false},
		"in a scenario and a page of it":  {"once", map[string]string{"list.csv": plain, "b.scenario.hcl": "# ann@a.test ann@a.test", "README.md": "ann@a.test ann@a.test"}, false, true},
		"in a library":                    {"once", map[string]string{"list.csv": plain, "node_modules/a/a.csv": plain + plain}, false, true},
		"in a program":                    {"once", map[string]string{"list.csv": plain, "p.py": "ann@a.test\n\nann@a.test\n"}, false, false},
		"a large file":                    {"once", map[string]string{"list.csv": plain, "other.csv": large}, false, false},
		"a file of the run itself":        {"once", map[string]string{"list.csv": plain, "new/report.csv": plain}, false, true},
		"a table that is no text":         {"once", map[string]string{"list.csv": plain, "a.csv": "\x00ann@a.test\x00ann@a.test"}, false, false},
		"a table that has another 2 rows": {"once", map[string]string{"list.csv": plain, "a.csv": "dan\neve\n"}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			const text = "provider \"http\" \"shop\" { base_url = \"https://shop.test\" }\nscenario \"s\" {\n  sut {\n    env = { SHOP = provider.shop.url }\n  }\n  on \"shop\" {\n    reply { json = { ok = true } }\n  }\n  assert \"once\" {\n    condition = length(endpoint.shop.attempts) == 3 && length(distinct([for a in endpoint.shop.attempts : a.request.json.to])) == 3\n  }\n}\n"
			c.files["a.scenario.hcl"] = text
			for name, text := range c.files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				at := earlier
				if strings.HasPrefix(name, "new/") {
					at = time.Now().Add(time.Hour)
				}
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			}
			r := sut.Play(planOf(t, filepath.Join(dir, "a.scenario.hcl")), sut.Options{Command: []string{self, "-test.run=^TestNearFiles$"}, WorkingDir: dir, Environment: append(os.Environ(), mailer+"="+c.how)})
			said := ""
			for _, trial := range r.Trials {
				said += trial.Why
			}
			if told := strings.Contains(said, `assert "once" counts distinct values`); told != c.told || (r.Verdict == interp.Pass) == c.fails {
				t.Errorf("%s %v: said %q", r.Verdict, r.Problems, said)
			}
		})
	}
}
