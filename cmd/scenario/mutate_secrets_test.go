package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/report"
)

// Shows that what stands under the name of a credential in a file of a program, of whatever format, and in its
// source, stands in clear nowhere that mutate --exec tells of its runs: where the program sends it under another
// name, prints it, or writes it into a file, also where only a part of that is shown.
func TestSecretsOfFilesStandNowhere(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	const mark = "canary-quiet-horse"
	files := map[string]string{
		"config.json":   `{"password": "%s", "limit": 5}` + "\n",
		"settings.yaml": "db:\n  password: %s\nlimit: 5\n",
		".env":          "DB_PASSWORD=%s\nLIMIT=5\n",
		"conf.toml":     "api_key = \"%s\"\nlimit = 5\n",
		"conf.ini":      "[db]\npassword = %s\nlimit = 5\n",
		"users.csv":     "user,password\nann,%s-77\n",
		"lines.tml":     "password = \"\"\"\n%s-78\n\"\"\"\nlimit = 5\n",
		"tagged.yml":    "db: {limit: 5, password: !!str %s-79}\n",
		"seed.sql":      "CREATE TABLE u (name TEXT, password TEXT);\nINSERT INTO u VALUES ('ann', '%s-80');\n",
		"address.txt":   "postgres://app:%s@db.example/shop\n",
	}
	dir := t.TempDir()
	program := `import json, os, re, urllib.request
said = []
for name in sorted(NAMES):
    said += re.findall("canary.quiet.horse[-a-z0-9]*", open(name).read())
client_secret = "canary-quiet-horse-a-source"
said.append(client_secret)
said.append(os.environ.get("TOKEN") or "canary-quiet-horse-b-81")
for i, one in enumerate(said):
    urllib.request.urlopen(urllib.request.Request(os.environ["SHOP_URL"] + "/a", one.encode(), {"x-one": one})).close()
    print("all of it is said here", one)
    with open("out%d.log" % i, "w") as out:
        out.write("a line that is long before it comes to what nobody is to see, which is " + one + "\n")
print("done")
`
	var names []string
	for name, text := range files {
		names = append(names, fmt.Sprintf("%q", name))
		writeIn(t, dir, name, fmt.Sprintf(text, mark+"-"+strings.Trim(filepath.Ext(name), ".")))
	}
	writeIn(t, dir, "a.py", strings.Replace(program, "NAMES", "["+strings.Join(names, ", ")+"]", 1))
	writeIn(t, dir, "a.scenario.hcl", `provider "http" "shop" {
  base_url     = "https://shop.example"
  base_url_env = "SHOP_URL"
}
scenario "it asks" {
  sut { command = ["`+python+`", "a.py"] }
  on "shop" {
    reply {
      json  = { ok = true }
      times = 1000
    }
  }
  allow = ["unused_reply"]
  assert "done" { condition = sut.exit_code == 0 && endpoint.shop.attempts[0].request.method == "POST" }
}
`)
	args := []string{"mutate", "--exec", "--budget", "0", "--only", "statement,text,data"}
	reports := args
	for _, f := range report.Formats() {
		if f.Name != "merge" && f.Name != "github" {
			reports = append(reports[:len(reports):len(reports)], "--report", f.Name+"=report."+f.Name)
		}
	}
	for name, args := range map[string][]string{"text": reports, "JSON": append(args[:len(args):len(args)], "--json")} {
		out, code := commandIn(t, dir, nil, append(args, "a.scenario.hcl")...)
		if code != 0 || !strings.Contains(out, "first difference") && !strings.Contains(out, `"difference"`) || !strings.Contains(out, "all of it is said here <REDACTED") {
			t.Fatalf("%s: exit %d: %.3000s", name, code, out)
		}
		writeIn(t, dir, "printed."+name, out)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "report.") && !strings.HasPrefix(e.Name(), "printed.") {
			continue
		}
		looked++
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if at := strings.Index(line, "quiet-hor"); at >= 0 {
				t.Errorf("%s shows …%s…", e.Name(), line[max(0, at-80):min(len(line), at+80)])
			}
		}
	}
	if looked < 8 {
		t.Errorf("%d files were looked at", looked)
	}
}
