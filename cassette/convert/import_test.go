package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
)

// imports are small files of every format, in which every object of the format
// stands at least once.
var imports = map[string]string{
	"har": `{"log": {"version": "1.2", "pages": [], "entries": [
		{"time": 10, "request": {"method": "POST", "url": "https://a.example/x?api_key=key-in-the-query-1", "headers": [{"name": "Authorization", "value": "Bearer header-secret-1"}],
			"postData": {"mimeType": "application/json", "text": "{\"password\":\"body-secret-1\"}", "params": [{"name": "a", "value": "b"}]}},
		 "response": {"status": 200, "statusText": "OK", "headers": [{"name": "X-Api-Key", "value": "header-secret-2"}], "content": {"size": 2, "mimeType": "application/json", "text": "{\"access_token\":\"body-secret-2\"}"}},
		 "timings": {"send": 1, "wait": 2, "receive": 7}}]}}`,
	"aimock": `{"fixtures": [
		{"match": {"userMessage": "a", "sequenceIndex": 0}, "response": {"error": {"message": "slow"}, "status": 429}},
		{"match": {"userMessage": "a", "sequenceIndex": 1}, "response": {"content": "{\"password\":\"body-secret-1\"}", "usage": {"input_tokens": 1}}, "chaos": {"dropRate": 1}},
		{"match": {"userMessage": "b"}, "response": {"blocks": [{"type": "toolCall", "name": "f", "arguments": {"api_key": "body-secret-2"}}]}, "streamingProfile": {"ttft": 5, "tps": 50}},
		{"match": {"userMessage": "c"}, "response": {"toolCalls": [{"name": "g", "arguments": "{}"}]}, "recordedTimings": {"ttftMs": 5, "interChunkDelaysMs": [], "totalDurationMs": 5}}]}`,
	"wiremock": `{"mappings": [
		{"request": {"method": "POST", "urlPath": "/a", "headers": {"Authorization": {"equalTo": "Bearer header-secret-1"}}, "queryParameters": {"api_key": {"equalTo": "key-in-the-query-1"}},
			"bodyPatterns": [{"equalToJson": {"password": "body-secret-1"}}]},
		 "response": {"status": 200, "jsonBody": {"access_token": "body-secret-2"}, "headers": {"X-Api-Key": "header-secret-2"},
			"chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 10}, "delayDistribution": {"type": "uniform", "lower": 1, "upper": 3}}}]}`,
	"agentloom": `{"answer": {"content": "{\"password\":\"body-secret-1\"}", "usage": {"prompt_tokens": 1}, "tool_calls": [{"id": "1", "name": "f", "arguments": {"api_key": "body-secret-2"}}]},
		"other": {"fault": {"type": "http_error", "status_code": 500}}}`,
}

// free are keys whose values have any members.
var free = []string{"arguments", "headers", "queryParameters", "jsonBody", "equalToJson", "error"}

// Every key that is in a file and in no table of its format is noted, wherever
// it stands: nothing is dropped without a word.
func TestImportNotesUnknownKeys(t *testing.T) {
	for _, format := range slices.Sorted(maps.Keys(imports)) {
		objects := 0
		for n := 0; ; n++ {
			var tree any
			if err := json.Unmarshal([]byte(imports[format]), &tree); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			left := n
			if !plantKey(tree, &left) {
				break
			}
			objects++
			data, _ := json.Marshal(tree)
			out, err := Import("f", data, ImportOptions{Format: format})
			if err != nil {
				if format == "agentloom" && n == 0 {
					continue // every key of the file is a step there
				}
				t.Fatalf("%s, object %d: %v", format, n, err)
			}
			if !strings.Contains(strings.Join(out.Notes, "\n"), "zzz") {
				t.Errorf("%s: the key zzz of object %d is not noted\n%s", format, n, data)
			}
		}
		if objects < 4 {
			t.Errorf("%s: only %d objects", format, objects)
		}
	}
}

// plantKey adds the key zzz to the nth object of a tree.
func plantKey(tree any, n *int) bool {
	switch v := tree.(type) {
	case map[string]any:
		if *n == 0 {
			v["zzz"] = "?"
			return true
		}
		*n--
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if _, isList := v[key].([]any); (!slices.Contains(free, key) || isList) && plantKey(v[key], n) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if plantKey(item, n) {
				return true
			}
		}
	}
	return false
}

// No secret of a file gets into what is made of it, and an import gives the same
// each time.
func TestImportHidesSecrets(t *testing.T) {
	for _, format := range slices.Sorted(maps.Keys(imports)) {
		text := imported(t, format, imports[format])
		for _, secret := range []string{"header-secret", "body-secret", "key-in-the-query"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %s is left\n%s", format, secret, text)
			}
		}
		if !strings.Contains(text, "<REDACTED:sha256=") {
			t.Errorf("%s: nothing was hidden", format)
		}
		if again := imported(t, format, imports[format]); again != text {
			t.Errorf("%s: a second import differs", format)
		}
	}
}

// imported is all that an import gives, as text.
func imported(t *testing.T, format, data string) string {
	t.Helper()
	out, err := Import("f", []byte(data), ImportOptions{})
	if err != nil || out.Format != format {
		t.Fatalf("%s: %v, recognised as %v", format, err, out)
	}
	var b strings.Builder
	if out.Draft != nil {
		for _, block := range out.Draft.Blocks() {
			printBlock(&b, block)
		}
	} else if err := cassette.Write(&b, out.Cassette); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func printBlock(b *strings.Builder, block *Block) {
	fmt.Fprintln(b, block.Type, block.Labels, block.Notes, block.Attrs)
	for _, inner := range block.Blocks {
		printBlock(b, inner)
	}
}

// A file that is cut anywhere, or that has a value of another kind in any place,
// is read or refused with a line and a hint; nothing panics.
func TestImportDamaged(t *testing.T) {
	for _, format := range slices.Sorted(maps.Keys(imports)) {
		data := []byte(imports[format])
		for cut := range data {
			if out, err := Import("f", data[:cut], ImportOptions{}); err == nil {
				t.Fatalf("%s: cut at %d it gives %v", format, cut, out)
			}
		}
		for i, c := range data {
			if c < '0' || c > '9' {
				continue
			}
			for _, other := range []string{"[]", "{}", `""`, "null", "-1", "1e300", "true"} {
				changed := slices.Concat(data[:i], []byte(other), data[i+1:])
				_, err := Import("f", changed, ImportOptions{})
				var e *cassette.LoadError
				if err != nil && (!errors.As(err, &e) || e.Hint == "") {
					t.Errorf("%s: %v", format, err)
				}
			}
		}
	}
}

func FuzzImport(f *testing.F) {
	for _, format := range slices.Sorted(maps.Keys(imports)) {
		f.Add([]byte(imports[format]))
	}
	loom, _ := filepath.Glob(filepath.Join("..", "..", "shared", "data", "agentloom", "*.json"))
	for _, path := range loom {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := Import("f", data, ImportOptions{})
		if err != nil {
			return
		}
		if out.Draft != nil {
			for _, block := range out.Draft.Blocks() {
				printBlock(&strings.Builder{}, block)
			}
		}
	})
}

// The opening of a web socket is no exchange, whatever its URL is called: it is left
// out with a note, and what is around it stays in its order.
func TestImportHARWithoutSockets(t *testing.T) {
	entry := func(url string, status int) string {
		return fmt.Sprintf(`{"request": {"method": "GET", "url": %q, "headers": []}, "response": {"status": %d, "statusText": "", "headers": [], "content": {"text": ""}}}`, url, status)
	}
	file := `{"log": {"version": "1.2", "entries": [` + strings.Join([]string{entry("https://a.example/1", 200), entry("wss://a.example/s", 101), entry("https://a.example/s", 101), entry("https://a.example/2", 204)}, ",") + `]}}`
	out, err := Import("f.har", []byte(file), ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range out.Cassette.Interactions {
		got = append(got, fmt.Sprint(it.Index, " ", it.URL))
	}
	if want := []string{"1 https://a.example/1", "2 https://a.example/2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if notes := strings.Join(out.Notes, "\n"); !strings.Contains(notes, "the opening of a web socket is left out") || !strings.Contains(notes, "2 times") {
		t.Errorf("notes: %s", notes)
	}
}

// A body in Base64 is imported as its text; bytes that are not text are left out
// with a note, and what is not Base64 is a mistake in the file.
func TestImportWireMockBase64(t *testing.T) {
	imported := func(body string) (*Imported, error) {
		data := `{"mappings": [{"request": {"method": "GET", "url": "/a"}, "response": {"status": 200, "base64Body": "` + body + `"}}]}`
		return Import("f", []byte(data), ImportOptions{Format: "wiremock"})
	}
	const left = "a body that is not text is left out"
	for coded, want := range map[string]string{"aGVsbG8gd29ybGQ=": "hello world", "/wD/": ""} {
		out, err := imported(coded)
		if err != nil {
			t.Fatalf("%s: %v", coded, err)
		}
		body := ""
		for _, a := range out.Draft.Cases[0].Steps[0].Entries[0].Reply {
			if a.Name == "body" {
				body = a.Value.(string)
			}
		}
		noted := strings.Contains(strings.Join(out.Notes, "\n"), left)
		if body != want || noted != (want == "") {
			t.Errorf("%s became the body %q, want %q; notes: %q", coded, body, want, out.Notes)
		}
	}
	if _, err := imported("%%%"); err == nil || !strings.Contains(err.Error(), "base64Body is no Base64") {
		t.Errorf("a body that is not Base64 gives the error %v", err)
	}
}
