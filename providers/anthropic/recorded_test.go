package anthropic_test

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/wire"
)

// An exchange is one recorded request and its answer.
type exchange struct {
	file   string
	method string
	url    *url.URL
	asked  []byte
	answer wire.Response
}

// corpus is where recorded traffic lies, "" where there is none.
func corpus(t *testing.T) string {
	dir := os.Getenv("SCENARIO_CORPUS")
	if dir == "" {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for !exists(filepath.Join(root, "go.mod")) {
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "../shared/data/cassettes")
	}
	if !exists(dir) {
		return ""
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// recorded reads every exchange of the corpus whose URL fits.
func recorded(t *testing.T, fits func(*url.URL) bool) []exchange {
	t.Helper()
	dir := corpus(t)
	if dir == "" {
		t.Skip("0 recordings: SCENARIO_CORPUS names no directory")
	}
	var list []exchange
	for folder, read := range map[string]func(*testing.T, string) []exchange{"go-vcr": goVCR, "vcrpy": vcrpy} {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".yaml" {
				return err
			}
			for _, e := range read(t, path) {
				if fits(e.url) {
					list = append(list, e)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// refused passes over a damaged file, with the loader's reason. The samples have
// none.
func refused(t *testing.T, err error) []exchange {
	t.Helper()
	if adaptertest.WholeCorpus() {
		t.Fatal(err)
	}
	t.Logf("refused: %v", err)
	return nil
}

func goVCR(t *testing.T, path string) []exchange {
	t.Helper()
	c, err := cassette.Load(path)
	if err != nil {
		return refused(t, err)
	}
	var list []exchange
	for _, it := range c.Interactions {
		u, err := url.Parse(it.URL)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, exchange{file: path, method: it.Method, url: u, asked: it.RequestBody, answer: it.Response})
	}
	return list
}

// vcrpy reads a file of the other format without the package that loads
// cassettes: bodies that were stored decoded are encoded again, streams are cut
// at blank lines.
func vcrpy(t *testing.T, path string) []exchange {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Interactions []struct {
			Request struct {
				Method, URI string
				Body        any
				Parsed      any `yaml:"parsed_body"`
			}
			Response struct {
				Status  struct{ Code int }
				Headers map[string][]string
				Body    struct{ String string }
				Parsed  any `yaml:"parsed_body"`
			}
		}
	}
	if _, err := cassette.Parse(path, data); err != nil {
		return refused(t, err)
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var list []exchange
	for _, it := range file.Interactions {
		u, err := url.Parse(it.Request.URI)
		if err != nil {
			t.Fatal(err)
		}
		e := exchange{file: path, method: it.Request.Method, url: u, asked: jsonOf(t, it.Request.Parsed)}
		e.answer = wire.Response{Status: it.Response.Status.Code}
		for name, values := range it.Response.Headers {
			e.answer.Header = append(e.answer.Header, wire.Field{Name: name, Value: values[0]})
			e.answer.Stream = e.answer.Stream || strings.HasPrefix(values[0], "text/event-stream")
		}
		body := []byte(it.Response.Body.String)
		if it.Response.Parsed != nil {
			body = jsonOf(t, it.Response.Parsed)
		}
		e.answer.Parts = partsOf(body, e.answer.Stream)
		list = append(list, e)
	}
	return list
}

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var blank = regexp.MustCompile(`\r?\n\r?\n`)

func partsOf(body []byte, stream bool) []wire.Part {
	if !stream {
		return []wire.Part{{Data: body}}
	}
	var parts []wire.Part
	for len(body) > 0 {
		end := len(body)
		if at := blank.FindIndex(body); at != nil {
			end = at[1]
		}
		parts = append(parts, wire.Part{Data: body[:end]})
		body = body[end:]
	}
	return parts
}

// documents are the JSON objects of an answer, one or that of every event.
func documents(t *testing.T, answer wire.Response) []map[string]any {
	t.Helper()
	texts := []string{string(answer.Body())}
	if answer.Stream {
		texts = nil
		for line := range strings.SplitSeq(string(answer.Body()), "\n") {
			if data, ok := strings.CutPrefix(line, "data:"); ok {
				texts = append(texts, data)
			}
		}
	}
	var list []map[string]any
	for _, text := range texts {
		var root map[string]any
		if err := json.Unmarshal([]byte(text), &root); err != nil {
			t.Fatal(err)
		}
		list = append(list, root)
	}
	return list
}

// canonical is a JSON text by value, so that its spaces and the order of its
// keys do not count.
func canonical(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return string(jsonOf(t, v))
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

func num(v any) int {
	n, _ := v.(float64)
	return int(n)
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
