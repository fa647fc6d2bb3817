package cassette

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	vcr "github.com/dnaeon/go-vcr/v2/cassette"
	"github.com/dnaeon/go-vcr/v2/recorder"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/scenario-lang/scenario/wire"
	"gopkg.in/yaml.v3"
)

// The layout of a file is fixed: keys, their order, the column of the items,
// and the sums, which are computed here by other means.
func TestWriteLayout(t *testing.T) {
	it := streamed("answer")
	it.Scenario, it.Protocol = "refund", "HTTP/2.0"
	refused := &Interaction{Step: "answer", Attempt: 2, Method: "POST", URL: chatURL, Error: "dns", Duration: time.Second}
	got := string(written(t, it, refused))
	want := `---
version: 1
x-scenario: {format: 1, provider: openai, recorded_at: '2026-01-01T00:00:00Z'}
interactions:
- request:
    body: '{"stream":true}'
    form: {}
    headers:
        Content-Type:
            - application/json
    url: https://api.example.com/v1/chat/completions
    method: POST
  response:
    body: "data: {\"a\":1}\n\n: note\n\nevent: x\r\ndata: 2\r\n\r\ndata: [DONE]\n\n"
    headers:
        Content-Type:
            - text/event-stream
    status: 200 OK
    code: 200
    duration: 800ms
  x-scenario:
    scenario: refund
    step: answer
    target: main
    attempt: 1
    round: 1
    key: KEY1
    protocol: HTTP/2.0
    end: complete
    chunks: [{at: 500ms, len: 15}, {at: 600ms, len: 8}, {at: 700ms, len: 21}, {at: 800ms, len: 14}]
    sha256: SUM1
- request:
    body: ""
    form: {}
    headers: {}
    url: https://api.example.com/v1/chat/completions
    method: POST
  response:
    body: ""
    headers: {}
    status: ""
    code: 0
    duration: 1s
  x-scenario:
    step: answer
    attempt: 2
    key: KEY2
    error: dns
    sha256: SUM2
`
	body := `,"host":"api.example.com","method":"POST","path":"/v1/chat/completions"}`
	key1, key2 := hexSum(`{"body":{"stream":true}`+body), hexSum(`{`+body[1:])
	item1 := `{"request":{"body":"{\"stream\":true}","form":{},"headers":{"Content-Type":["application/json"]},"method":"POST","url":"` + chatURL + `"},` +
		`"response":{"body":"data: {\"a\":1}\n\n: note\n\nevent: x\r\ndata: 2\r\n\r\ndata: [DONE]\n\n","code":200,"duration":"800ms","headers":{"Content-Type":["text/event-stream"]},"status":"200 OK"},` +
		`"x-scenario":{"attempt":1,"chunks":[{"at":"500ms","len":15},{"at":"600ms","len":8},{"at":"700ms","len":21},{"at":"800ms","len":14}],` +
		`"end":"complete","key":"sha256:` + key1 + `","protocol":"HTTP/2.0","round":1,"scenario":"refund","step":"answer","target":"main"}}`
	item2 := `{"request":{"body":"","form":{},"headers":{},"method":"POST","url":"` + chatURL + `"},` +
		`"response":{"body":"","code":0,"duration":"1s","headers":{},"status":""},` +
		`"x-scenario":{"attempt":2,"error":"dns","key":"sha256:` + key2 + `","step":"answer"}}`
	want = strings.NewReplacer("KEY1", "sha256:"+key1, "KEY2", "sha256:"+key2, "SUM1", hexSum(item1), "SUM2", hexSum(item2)).Replace(want)
	want += "x-scenario-end: {count: 2, sha256: " + hexSum(want) + "}\n"
	if d := cmp.Diff(strings.ReplaceAll(want, `"`, ""), strings.ReplaceAll(got, `"`, "")); d != "" {
		t.Error(d)
	}
}

func hexSum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// V54, V55, V56, V57: the same step twice, a 500 before the success, a stream
// that broke after three events, an answer with tool calls: all are kept, and
// are the same after writing and reading.
func TestV54toV57RoundTrip(t *testing.T) {
	failed := recorded("b", 1, `{}`, `{"error":"x"}`)
	failed.Response.Status, failed.Response.Reason = 500, "Went Wrong"
	broken := streamed("c")
	broken.Response.Parts = append(broken.Response.Parts[:3:3], wire.Part{Kind: wire.PartEvent, Wait: 100 * time.Millisecond})
	broken.Chunks, broken.Response.End = broken.Chunks[:3], wire.EndFIN
	stalled := recorded("d", 1, `{}`, `{"half":`)
	stalled.Response.End = wire.EndHang
	items := []*Interaction{
		recorded("a", 1, `{}`, `{"n":1}`), recorded("a", 2, `{}`, `{"n":2}`), // V54
		failed, recorded("b", 2, `{}`, `{"n":3}`), // V55
		broken, // V56
		recorded("e", 1, `{}`, `{"choices":[{"message":{"reasoning":"hm","tool_calls":[{"id":"1"}]}}]}`), // V57
		stalled,
		{Step: "f", Method: "GET", URL: chatURL, Error: "timeout", Duration: time.Minute},
	}
	c := parsed(t, written(t, items...))
	if d := sameItems(items, c.Interactions); d != "" {
		t.Error(d)
	}
	if !c.Own || c.Provider != "openai" || c.RecordedAt.Year() != 2026 || len(c.Warnings) != 0 {
		t.Errorf("%+v", c.Warnings)
	}
	if c.Digest != "sha256:"+hexSum(string(written(t, items...))) {
		t.Errorf("digest %s", c.Digest)
	}
}

// A plain go-vcr v2 recorder replays what Write wrote, and go-vcr's own reader
// sees every field; what go-vcr then saves is a plain file that still loads.
func TestGoVCRReplaysOurs(t *testing.T) {
	items := []*Interaction{recorded("a", 1, `{"q":1}`, `{"n":1}`), streamed("b"), recorded("a", 2, `{"q":1}`, "\xff\x00binary")}
	items[0].Duration, items[1].Duration, items[2].Duration = 0, 0, 0
	items[1].Chunks = nil
	path := filepath.Join(t.TempDir(), "ours")
	c := parsed(t, written(t, items...))
	if err := c.Save(path + ".yaml"); err != nil {
		t.Fatal(err)
	}
	r, err := recorder.NewAsMode(path, recorder.ModeReplaying, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: r}
	for i, it := range items {
		resp, err := client.Post(it.URL, "application/json", bytes.NewReader(it.RequestBody))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		if string(body) != string(it.Response.Body()) || resp.StatusCode != 200 ||
			resp.Header.Get("Content-Type") != it.Response.Header[0].Value {
			t.Errorf("interaction %d: %d %v %q", i+1, resp.StatusCode, resp.Header, body)
		}
	}
	theirs, err := vcr.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c.ToVCR().Interactions, theirs.Interactions, cmpopts.IgnoreUnexported(vcr.Response{}), cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
	if err := theirs.Save(); err != nil {
		t.Fatal(err)
	}
	back, err := Load(path + ".yaml")
	if err != nil || back.Own || len(back.Interactions) != 3 || back.Format != "go-vcr 1" {
		t.Fatalf("%+v, %v", back, err)
	}
	if d := sameItems(fromVCR(theirs), back.Interactions); d != "" {
		t.Error(d)
	}
}

// fromVCR is what go-vcr holds in memory.
func fromVCR(v *vcr.Cassette) []*Interaction {
	var items []*Interaction
	for _, item := range v.Interactions {
		items = append(items, answerV1(item))
	}
	return items
}

// Whatever bytes a body has, it reads back as it was or is not written at all;
// YAML's styles have many ways to lose white space.
func TestWriteAnyBody(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	pieces := []string{"\n", " ", "\t", "\r", "x", ":", "#", "- ", "'", `"`, "\u0085", "\u2028", "\ufeff", "\x00", "\x7f", "\xff", "ü", "😀", "%", "|", "---", "..."}
	for range 1000 {
		var b strings.Builder
		for range random.Intn(8) {
			b.WriteString(pieces[random.Intn(len(pieces))])
		}
		it := recorded("a", 1, b.String(), b.String()+"\n")
		it.Response.Header[0].Value = "text/plain"
		var out bytes.Buffer
		if err := Write(&out, &Cassette{Interactions: []*Interaction{it}}); err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		if d := sameItems([]*Interaction{it}, parsed(t, out.Bytes()).Interactions); d != "" {
			t.Fatalf("%q: %s", b.String(), d)
		}
	}
}

// What our reader refuses is not written.
func TestWriteRefuses(t *testing.T) {
	for want, change := range map[string]func(*Interaction){
		"do not add up":       func(it *Interaction) { it.Chunks = []Chunk{{0, 1}} },
		"do not follow":       func(it *Interaction) { it.Chunks = []Chunk{{2, 1}, {1, 6}} },
		"is unknown":          func(it *Interaction) { it.Error = "gremlins" },
		"count from 1":        func(it *Interaction) { it.Attempt = -1 },
		"no method":           func(it *Interaction) { it.Method = "" },
		"no url":              func(it *Interaction) { it.URL = "" },
		"not possible on the": func(it *Interaction) { it.Response.Header[0].Name = "a b" },
		"no status code":      func(it *Interaction) { it.Response.Status = 9 },
	} {
		it := recorded("a", 1, `{}`, `{"a":1}`)
		change(it)
		err := Write(io.Discard, &Cassette{Interactions: []*Interaction{it}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Save replaces a file as a whole: when writing fails, the old one is as it
// was and nothing else is left in the folder.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.yaml")
	good := &Cassette{Interactions: []*Interaction{recorded("a", 1, `{}`, `{"a":1}`)}}
	if err := good.Save(path); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	bad := &Cassette{Interactions: []*Interaction{good.Interactions[0], {}}}
	if err := bad.Save(path); err == nil || !strings.Contains(err.Error(), "interaction 2") {
		t.Errorf("got %v", err)
	}
	after, _ := os.ReadFile(path)
	entries, _ := os.ReadDir(dir)
	if !bytes.Equal(before, after) || len(entries) != 1 {
		t.Errorf("%d files; changed: %v", len(entries), !bytes.Equal(before, after))
	}
	if err := good.Save(filepath.Join(dir, "no", "a.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := Load(filepath.Join(dir, "b.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// An empty recording of ours is a whole file.
func TestWriteNothing(t *testing.T) {
	c := parsed(t, written(t))
	if len(c.Interactions) != 0 || !c.Own {
		t.Errorf("%+v", c)
	}
}

// The recorded fields stay a plain version 1 file for any strict YAML reader.
func TestWriteIsPlainYAML(t *testing.T) {
	var tree map[string]any
	if err := yaml.Unmarshal(written(t, streamed("a")), &tree); err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(tree); err != nil || tree["version"] != 1 {
		t.Errorf("version %v, %v", tree["version"], err)
	}
}

// Shows that a recorded answer of a model is readable in the file, and that
// go-vcr reads JSON that is equal to it.
func TestFileIsReadable(t *testing.T) {
	body := `{"id":"c1","choices":[{"index":0,"message":{"role":"assistant","content":"Hello 😀, how can I help you today?"},"finish_reason":"stop"}]}`
	data := written(t, recorded("a", 1, `{"q":1}`, body))
	if !strings.Contains(string(data), "\n                \"content\": \"Hello \\ud83d\\ude00, how can I help you today?\"\n") || !strings.Contains(string(data), "    layout: {response: [compact, escaped]}\n") {
		t.Errorf("%s", data)
	}
	var plain struct {
		Interactions []struct{ Response struct{ Body string } }
	}
	if err := yaml.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	var theirs, ours any
	if err := json.Unmarshal([]byte(plain.Interactions[0].Response.Body), &theirs); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(body), &ours)
	if !reflect.DeepEqual(theirs, ours) {
		t.Errorf("go-vcr reads %v", theirs)
	}
	if got := string(parsed(t, data).Interactions[0].Response.Body()); got != body {
		t.Errorf("we read %s", got)
	}
}
