package cassette

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/providers/adaptertest"
)

// A token is found that a stream brings in pieces, in every format that holds
// streams, with the line of its first piece; each piece alone is none.
func TestScanFindsTokensInPieces(t *testing.T) {
	token := "ghp_" + "aZ09bYcX18dW27eV36fU45gT54hS63iR72jQ"
	pieces := []string{"the key is " + token[:3], token[3:9], token[9:22], token[22:] + "."}
	var sse, ndjson, anthropic strings.Builder
	for i, p := range pieces {
		fmt.Fprintf(&sse, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}],\"n\":%d}\n\n", p, i)
		fmt.Fprintf(&anthropic, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"partial_json\":%q}}\n\n", p)
		fmt.Fprintf(&ndjson, "{\"message\":{\"role\":\"assistant\",\"content\":%q},\"done\":false}\n", p)
	}
	own := func(contentType, body string) string {
		it := recorded("a", 1, "{}", body)
		it.Response.Header[0].Value = contentType
		return string(written(t, it))
	}
	har := func(body string) string {
		return `{"log": {"version": "1.2", "entries": [{"response": {"content": {"text": ` + quotedJSON(body) + `}}}]}}`
	}
	for name, c := range map[string]struct {
		text, first string // what stands in the line that is named
	}{
		"SSE, ours":             {own("text/event-stream", sse.String()), `key is ghp`},
		"events, ours":          {own("text/event-stream", anthropic.String()), `key is ghp`},
		"NDJSON, ours":          {own("application/x-ndjson", ndjson.String()), `key is ghp`},
		"SSE, go-vcr":           {"version: 1\ninteractions:\n- response:\n    body: |\n      " + strings.ReplaceAll(sse.String(), "\n", "\n      ") + "\n", `key is ghp`},
		"SSE, quoted, go-vcr":   {"version: 1\ninteractions:\n- response:\n    body: " + quotedJSON(sse.String()) + "\n", `body: `},
		"NDJSON, quoted, vcrpy": {"interactions:\n- response:\n    body: {string: " + quotedJSON(ndjson.String()) + "}\nversion: 1\n", `body: `},
		"SSE, HAR":              {har(sse.String()), `"log"`},
		"NDJSON, HAR":           {har(ndjson.String()), `"log"`},
	} {
		found, err := redact.Scan("f", []byte(c.text))
		if err != nil || len(found) != 1 || found[0].Rule != "github-pat" || found[0].Mark != redact.Placeholder(token) {
			t.Errorf("%s: %+v, %v", name, found, err)
			continue
		}
		if line := strings.Split(c.text, "\n")[found[0].Line-1]; !strings.Contains(line, c.first) {
			t.Errorf("%s: line %d is %s", name, found[0].Line, line)
		}
	}
}

// A secret in a body that stands beside the file is found there.
func TestScanBodies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	key := "hf_" + strings.Repeat("aZ09bYx", 5)[:34]
	body := strings.Repeat("a line\n", 50_000) + "key " + key + " here\n"
	if err := (&Cassette{Interactions: []*Interaction{recorded("a", 1, "{}", body)}}).Save(path); err != nil {
		t.Fatal(err)
	}
	found, err := ScanBodies(path)
	at := found[filepath.Join("a.yaml.bodies", hexSum(body))]
	if err != nil || len(at) != 1 || at[0].Line != 50_001 || at[0].Rule != "huggingface-access-token" {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := ScanBodies(filepath.Join(t.TempDir(), "b.yaml")); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// Over the sample recordings no rule about tokens hits anything, as those who
// published them had taken the keys out; what is left are cookies and names of
// organisations, as the table says. Of another folder every file is scanned, or
// refused with what to do.
func TestScanCorpus(t *testing.T) {
	rules, files, sample := map[string]int{}, 0, adaptertest.WholeCorpus()
	for _, path := range adaptertest.CorpusFiles(t, "") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := redact.Scan(path, data)
		if err != nil && (sample || !strings.Contains(err.Error(), "hint: ")) {
			t.Errorf("%s: %v", path, err)
		}
		files++
		for _, f := range found {
			rules[f.Rule+", "+f.Where]++
			if sample && f.Rule != "credential-field" {
				t.Errorf("%s:%d: %s in %s %s", path, f.Line, f.Rule, f.Where, f.Mark)
			}
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		t.Logf("%4d %s", rules[rule], rule)
	}
	t.Logf("%d recorded files", files)
}

// quotedJSON is a text as JSON.
func quotedJSON(text string) string {
	data, _ := json.Marshal(text) // a string is always JSON
	return string(data)
}
