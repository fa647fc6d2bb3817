package redact

import (
	"strings"
	"testing"
)

// A secret is found wherever it stands in a file of any format, with its line.
func TestScanFindsSecrets(t *testing.T) {
	key := "sk-" + strings.Repeat("aZ09bY", 4) + "T3BlbkFJ" + strings.Repeat("Qw3rTy", 4)
	for _, c := range []struct {
		name, text string
		line       int
		rule       string
	}{
		{"a body of YAML", "version: 1\ninteractions:\n- request:\n    body: '{\"a\":\"" + key + "\"}'\n", 4, "openai-api-key"},
		{"a literal body", "a: |\n  one\n  two " + key + "\n", 3, "openai-api-key"},
		{"a field", "headers:\n  Authorization:\n  - Bearer abcdefghijkl\n", 3, "credential-field"},
		{"a cookie of vcrpy", "headers:\n  cookie:\n  - __cf_bm=abcdef\n", 3, "credential-field"},
		{"a field of a HAR file", "{\"headers\": [\n{\"name\": \"X-Api-Key\", \"value\": \"abcdefgh\"}]}", 2, "credential-field"},
		{"a parameter", "url: https://a.example/?key=abcdefgh&x=1\n", 1, "credential-parameter"},
		{"a member of JSON", "body: '{\"x\": {\"client_secret\": \"abcdefgh\"}}'\n", 1, "credential-member"},
		{"JSON in a string of JSON", `{"text": "{\"password\": \"abcdefgh\"}"}`, 1, "credential-member"},
		{"a member of fixtures", "{\"arguments\": {\n\"api_key\": \"abcdefgh\"}}", 2, "credential-member"},
	} {
		found, err := Scan("f", []byte(c.text))
		if err != nil || len(found) != 1 || found[0].Line != c.line || found[0].Rule != c.rule {
			t.Errorf("%s: %+v, %v, want %s in line %d", c.name, found, err, c.rule, c.line)
		}
		for _, f := range found {
			if strings.Contains(f.Where+f.Mark, "abcdef") || strings.Contains(f.Mark, key) {
				t.Errorf("%s: the finding shows the secret", c.name)
			}
		}
	}
}

// A token is one whatever stands beside it: a path, a name that is given a value, a
// rule of signs, or what comes after it. Only letters as mixed as those of an image
// hide none.
func TestTokensAmongLetters(t *testing.T) {
	const token = "ghp_yXicm3KpQ7vRt2WzL9sBnD4fHj6gTe1aUo8k"
	for _, text := range []string{
		"https://api.example.com/v1/organizations/acme-corp/projects/" + token,
		"open /var/lib/company/service/config/credentials/" + token + ": not found",
		"ACME_PRODUCTION_EU_DEPLOY_PIPELINE_GH_PAT=" + token,
		strings.Repeat("=", 80) + token,
		strings.Repeat("-", 80) + token + strings.Repeat("_", 80),
		token + "/v1/organizations/acme-corp/projects/42/items/of/a/long/path",
		"/srv/JohnDoe/Projects2024/MyApplication/deployments/production/" + token,
	} {
		if got := HideTokens(text); strings.Contains(got, token) {
			t.Errorf("%s is shown", text)
		}
		if found, err := Scan("f", []byte("body: '"+text+"'\n")); err != nil || len(found) == 0 {
			t.Errorf("%s: nothing is found, %v", text, err)
		}
	}
}

// What looks like a secret and is none is left: placeholders, the words of other
// recorders for what they took out, schemas, images and ids.
func TestScanLeavesOthers(t *testing.T) {
	image := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAKIAKIAIOSFODNN7EXAMPLEsk_live_abc", 30)
	for name, text := range map[string]string{
		"placeholder":      "Authorization: ['" + Placeholder("x-secret") + "']\nurl: 'https://a.example/?key=" + Placeholder("x-secret") + "'\n",
		"scrubbed":         "authorization: [scrubbed]\ncookie: ['***']\nx-api-key: [REDACTED]\nAPI-KEY: [Bearer xxxx]\n",
		"a schema":         `{"password": {"type": "string"}, "required": ["password"]}`,
		"an image":         "body: '{\"data\":\"" + image + "\"}'\n",
		"ids":              "body: '{\"id\":\"chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz01\",\"request_id\":\"req_011CQ2abcDEFghiJKLmnoPQR\",\"tool_call_id\":\"call_x7Kd93jfKQmdSSkd83jFkd9s\"}'\n",
		"counts of tokens": `{"usage": {"completion_tokens": 12345678, "token": 12345678}}`,
		"no value":         `{"api_key": null, "password": "", "secret": true}`,
	} {
		if found, err := Scan("f", []byte(text)); err != nil || len(found) > 0 {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}
