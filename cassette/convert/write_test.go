package convert

import (
	"bytes"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/wire"
	"gopkg.in/yaml.v3"
)

// Every recording of go-vcr is the same after it was converted to our format
// and back: read here without our loader, all that a replay needs is as it was.
func TestConvertCorpus(t *testing.T) {
	files, items := 0, 0
	for _, path := range adaptertest.CorpusFiles(t, "go-vcr") {
		c, err := cassette.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		ours := converted(t, c, "scenario")
		back := converted(t, parsed(t, ours), "go-vcr-2")
		first, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files++
		was, is := essence(t, first), essence(t, back)
		items += len(was)
		if d := cmp.Diff(was, is); d != "" {
			t.Errorf("%s: after ours and back\n%s", path, d)
		}
		if again := converted(t, parsed(t, back), "scenario"); !bytes.Equal(again, ours) {
			t.Errorf("%s: ours differs after there and back", path)
		}
		v1 := converted(t, c, "go-vcr-1")
		if d := sameItems(withoutProtocol(c.Interactions), parsed(t, v1).Interactions); d != "" {
			t.Errorf("%s: as version 1\n%s", path, d)
		}
	}
	t.Logf("%d recorded files of go-vcr, %d interactions", files, items)
}

// A body is read back as it was from every format that it was written in, white
// space that YAML's other styles lose included.
func TestBodiesAreReadBack(t *testing.T) {
	for _, body := range []string{"\n", "\tx", "\tx\ny", " x\n", "x \n\n", "\n\n", "\r\n", "a\rb", "# x", "- x", "null", "\ufeffx", "\u0085", "\u2028", "\xff\x00", "\t", "x\n\t\ny", "---\nx"} {
		for _, format := range Formats() {
			it := &cassette.Interaction{Step: "a", Attempt: 1, Method: "POST", URL: "https://api.example.com/v1", RequestBody: []byte(body)}
			it.SetAnswer(200, "200 OK", http.Header{"Content-Type": {"text/plain"}}, body)
			c := &cassette.Cassette{Interactions: []*cassette.Interaction{it}}
			back := parsed(t, converted(t, c, format)).Interactions[0]
			if got := string(back.RequestBody); got != body {
				t.Errorf("%s: the request %q is %q", format, body, got)
			}
			if got := string(back.Response.Body()); got != body {
				t.Errorf("%s: the answer %q is %q", format, body, got)
			}
		}
	}
}

func withoutProtocol(items []*cassette.Interaction) []*cassette.Interaction {
	var out []*cassette.Interaction
	for _, it := range items {
		it = it.Clone()
		it.Protocol = ""
		out = append(out, it)
	}
	return out
}

func converted(t *testing.T, c *cassette.Cassette, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Write(&b, c, format); err != nil {
		t.Fatalf("%s to %s: %v", c.Path, format, err)
	}
	return b.Bytes()
}

// essence is what a file of version 2 says, but for what belongs to the recorded
// connection.
func essence(t *testing.T, data []byte) []map[string]any {
	t.Helper()
	var file struct {
		Raw []struct {
			ID                int
			Request, Response map[string]any
		} `yaml:"interactions"`
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	connection := []string{"content_length", "transfer_encoding", "uncompressed", "host"}
	var out []map[string]any
	for _, raw := range file.Raw {
		item := map[string]any{"id": raw.ID}
		for half, m := range map[string]map[string]any{"request ": raw.Request, "response ": raw.Response} {
			for key, v := range m {
				if key == "headers" {
					for name := range v.(map[string]any) {
						if slices.Contains(httptext.HopByHop, http.CanonicalHeaderKey(name)) {
							delete(v.(map[string]any), name)
						}
					}
				}
				if !slices.Contains(connection, key) {
					item[half+key] = v
				}
			}
		}
		out = append(out, item)
	}
	return out
}

// What a format has no place for is said with numbers, and what has no answer is
// left out.
func TestConvertSaysWhatIsLost(t *testing.T) {
	whole, cut := streamed("answer"), recorded("answer", 2, "{}", "{}")
	cut.Response.End, cut.Protocol = wire.EndRST, "HTTP/2.0"
	failed := &cassette.Interaction{Method: "GET", URL: "https://a.example/", Error: "refused", Step: "answer", Attempt: 3}
	c := &cassette.Cassette{Interactions: []*cassette.Interaction{whole, cut, failed}}
	for format, want := range map[string][]string{
		"scenario": nil,
		"go-vcr-2": {lostErrors + " (1 of 3 interactions)", lostEnds + " (1 of 3 interactions)", lostKeys + " (3 of 3 interactions)", lostTimes + " (1 of 3 interactions)"},
	} {
		var b bytes.Buffer
		lost, err := Write(&b, c, format)
		slices.Sort(want)
		slices.Sort(lost)
		if err != nil || !slices.Equal(lost, want) {
			t.Errorf("%s: lost %q, want %q (%v)", format, lost, want, err)
		}
		if n := len(parsed(t, b.Bytes()).Interactions); n != 3-len(want)/4 {
			t.Errorf("%s has %d interactions", format, n)
		}
	}
	if _, err := Write(&bytes.Buffer{}, c, "har"); err == nil || !strings.Contains(err.Error(), "go-vcr-1") {
		t.Errorf("har: %v", err)
	}
}
