package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shows that what a script or a recording answers under the name of a credential stands in clear nowhere, as what a
// real service answers does not: the program prints it in sentences, where no name stands beside it.
func TestScriptedSecretsStandNowhere(t *testing.T) {
	const head = `provider "http" "shop" {
  base_url     = "https://shop.example"
  base_url_env = "SHOP_URL"
}
scenario "it asks" {
  sut { command = ["python3", "a.py"] }
`
	const checks = `
  assert "asked" { condition = sut.exit_code == 0 && endpoint.shop.attempts[0].request.method == "GET" }
}
`
	const answer = `{"client_secret":"quiet-horse-a-secret","access_token":"quiet-horse-a-token","a":{"password":"quiet-horse-a-password","list":[{"api_key":"quiet-horse-a-key"}]}}`
	files := map[string]string{
		"a.py": `import json, os, urllib.request
answer = urllib.request.urlopen(os.environ["SHOP_URL"] + "/a")
r = json.load(answer)
print("the client got", r["client_secret"], "and", r["access_token"])
print("as well as", r["a"]["password"], r["a"]["list"][0]["api_key"], answer.headers.get("X-Api-Key"))
`,
		"reply.scenario.hcl":  head + "  on \"shop\" {\n    reply {\n      json    = " + answer + "\n      headers = { X-Api-Key = \"quiet-horse-a-field\" }\n    }\n  }\n" + checks,
		"body.scenario.hcl":   head + "  on \"shop\" {\n    reply {\n      body = <<-EOT\n" + answer + "\nEOT\n    }\n  }\n" + checks,
		"played.scenario.hcl": head + "  cassette { path = \"c.yaml\" }\n" + checks,
		"c.yaml": `version: 1
interactions:
- request: {method: GET, url: "https://shop.example/a", body: ""}
  response:
    status: 200 OK
    code: 200
    headers: {Content-Type: [application/json]}
    body: '` + answer + `'
    duration: 4ms
`,
	}
	for _, file := range []string{"reply", "body", "played"} {
		for name, args := range map[string][]string{
			"exec":          {"exec", "-v", "--report", "json=r.json", "--report", "html=r.html", "--report", "junit=r.xml", "--trace-out", "t.jsonl"},
			"exec --json":   {"exec", "--json"},
			"mutate":        {"mutate", "--exec", "--budget", "0", "--report", "json=r.json", "--report", "html=r.html", "--report", "junit=r.xml"},
			"mutate --json": {"mutate", "--exec", "--budget", "0", "--json"},
		} {
			t.Run(name+" "+file, func(t *testing.T) {
				dir := t.TempDir()
				for name, text := range files {
					if strings.HasPrefix(args[0], "exec") && strings.HasSuffix(name, ".hcl") { // what it fails on is shown, too
						text = strings.Replace(text, "sut.exit_code == 0", `sut.stdout == "x"`, 1)
					}
					writeIn(t, dir, name, text)
				}
				out, code := commandIn(t, dir, nil, append(args, file+".scenario.hcl")...)
				if code > 1 || !strings.Contains(out, "REDACTED") {
					t.Fatalf("exit %d: %.3000s", code, out)
				}
				writeIn(t, dir, "printed", out)
				for _, shown := range []string{"printed", "r.json", "r.html", "r.xml", "t.jsonl"} {
					text, err := os.ReadFile(filepath.Join(dir, shown))
					if err != nil && shown != "printed" {
						continue
					}
					if at := strings.Index(string(text), "quiet-horse"); at >= 0 || err != nil {
						t.Errorf("%s shows …%.120s…, %v", shown, text[max(0, at-60):], err)
					}
				}
			})
		}
	}
}
