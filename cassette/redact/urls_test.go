package redact

import "testing"

// Shows that a secret in a URL has one placeholder whatever stands behind the URL in a
// sentence, and that a URL which only shows how one is written stays as it is.
func TestURLsInSentences(t *testing.T) {
	const url = "http://127.0.0.1:1/v1/chat?access_token="
	hidden := url + Placeholder("CANARYacc12")
	for _, behind := range []string{"", ": success (200), live", ", twice", ". Then", ";\nmore", "\nmore", `"`} {
		if got := hideURLs("POST " + url + "CANARYacc12" + behind); got != "POST "+hidden+behind {
			t.Errorf("with %q behind it: %s", behind, got)
		}
	}
	for _, text := range []string{"postgres://user:…@host/database", "it is a URL, postgres://user:password@host:5432/database, or pairs", "postgres://app:***@host"} {
		if got := hideURLs(text); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	if got := hideURLs("postgres://app:hunter2@host/database"); got == "postgres://app:hunter2@host/database" {
		t.Error("a password stays")
	}
}

// Shows that a dummy stands for what a recording hides, and only where the rest is equal.
func TestVeiledDummy(t *testing.T) {
	recorded := `{"user":"tenant-of-` + Placeholder("the key") + `","n":1}`
	for actual, want := range map[string]string{
		`{"user":"tenant-of-scenario","n":1}`:  recorded,
		`{"user":"tenant-of-the key","n":1}`:   recorded,
		`{"user":"tenant-of-scenario","n":2}`:  `{"user":"tenant-of-scenario","n":2}`,
		`{"user":"tenant-of-scenarios","n":1}`: `{"user":"tenant-of-scenarios","n":1}`,
		`{"user":"tenant-of-something","n":1}`: `{"user":"tenant-of-something","n":1}`,
		`{"owner":"tenant-of-scenario","n":1}`: `{"owner":"tenant-of-scenario","n":1}`,
	} {
		if got := Veiled(recorded, actual, "scenario"); got != want {
			t.Errorf("%s: %s, want %s", actual, got, want)
		}
	}
	if got := Veiled(recorded, `{"user":"tenant-of-scenario","n":1}`, ""); got == recorded {
		t.Error("without a dummy it stands for the secret")
	}
}
