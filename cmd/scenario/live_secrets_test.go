package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shows that what a real service answers under the name of a credential stands in clear nowhere: not
// in the address of the next request, which a workflow or a program makes of it, not in a recording,
// and not in what the program prints.
func TestAnsweredSecretsStandNowhere(t *testing.T) {
	secrets := []string{"tokenOf8Za82kk10bb", "keyOf8Qq71mm20cc", "sidOf8Ww18pp39dd", "headOf8Rr18tt39gg", "codeOf8Gg18hh39jj"}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Set-Cookie", "sid="+secrets[2]+"; HttpOnly")
		w.Header().Set("X-Api-Key", secrets[3])
		w.Header().Set("Location", "https://app.example/cb?code="+secrets[4])
		fmt.Fprintf(w, `{"access_token":%q,"user":{"apiKey":%q},"n":1}`, secrets[0], secrets[1])
	}))
	defer service.Close()
	workflow := `provider "http" "api" {
  base_url     = "` + service.URL + `"
  base_url_env = "API_URL"
}
workflow "w" {
  provider = provider.api
  step "http" "login" {
    method = "POST"
    path   = "/login"
  }
  step "http" "items" {
    path = "/items/${step.login.json.access_token}?q=${step.login.json.user.apiKey}"
  }
}
scenario "login" {
  run = workflow.w
  cassette { path = "l.yaml" }
  assert "an item" { condition = step.items.json.n == 1 }
}
`
	program := strings.NewReplacer("  run = workflow.w\n", "  sut { command = [\"python3\", \"p.py\"] }\n", "step.items.json.n == 1", "strcontains(sut.stdout, \"welcome\")").Replace(workflow)
	at, end := strings.Index(program, "workflow \"w\""), strings.Index(program, "scenario \"login\"")
	program = program[:at] + program[end:]
	const asks = `import os, json, urllib.request
r = urllib.request.urlopen(urllib.request.Request(os.environ["API_URL"] + "/login", data=b"{}", headers={"Content-Type": "application/json"}))
j = json.load(r)
print("logged in with", j["access_token"], j["user"]["apiKey"], r.headers["Set-Cookie"], r.headers["X-Api-Key"], r.headers["Location"])
urllib.request.urlopen(os.environ["API_URL"] + "/items/" + j["access_token"] + "?q=" + j["user"]["apiKey"])
`
	for name, args := range map[string][]string{
		"record":      {"record", "-v", "a.scenario.hcl"},
		"run":         {"run", "-v", "a.scenario.hcl", "--report", "json=r.json", "--report", "html=r.html", "--trace-out", "t.jsonl"},
		"exec --live": {"exec", "-v", "--live", "--yes", "b.scenario.hcl", "--report", "json=r.json", "--report", "html=r.html", "--report", "text=r.txt", "--trace-out", "t.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeIn(t, dir, "a.scenario.hcl", workflow)
			writeIn(t, dir, "b.scenario.hcl", program)
			writeIn(t, dir, "p.py", asks)
			out, code := commandIn(t, dir, nil, args...)
			texts := map[string]string{"the terminal": out}
			left, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range left {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				texts[filepath.Base(path)] = string(data)
			}
			if code != 0 && name != "exec --live" || len(left) < 4 {
				t.Fatalf("exit code %d, files %q:\n%s", code, left, out)
			}
			for where, text := range texts {
				for _, s := range secrets {
					if strings.Contains(text, s) {
						t.Errorf("%s has %s: …%s", where, s, text[max(0, strings.Index(text, s)-200):][:220])
					}
				}
			}
		})
	}
}
