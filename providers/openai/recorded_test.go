package openai_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
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
	index  int // from 1
	method string
	url    *url.URL
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

// spoken are what the files of the interfaces, and of the one that is near to
// them, are known by; the others are not read.
var spoken = [][]byte{[]byte("/chat/completions"), []byte("/responses"), []byte("api.cohere.com")}

// recorded reads every exchange of the files that are known by spoken.
func recorded(t *testing.T) []exchange {
	t.Helper()
	dir := corpus(t)
	if dir == "" {
		t.Skip("0 recordings: SCENARIO_CORPUS names no directory")
	}
	var list []exchange
	for _, from := range []struct {
		folder string
		read   func(t *testing.T, path string, data []byte) []exchange
	}{{"go-vcr", goVCR}, {"vcrpy", vcrpy}} {
		err := filepath.WalkDir(filepath.Join(dir, from.folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil && slices.ContainsFunc(spoken, func(s []byte) bool { return bytes.Contains(data, s) }) {
				list = append(list, from.read(t, path, data)...)
			}
			return err
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

func goVCR(t *testing.T, path string, data []byte) []exchange {
	t.Helper()
	c, err := cassette.Parse(path, data)
	if err != nil {
		return refused(t, err)
	}
	var list []exchange
	for _, it := range c.Interactions {
		list = append(list, exchange{path, it.Index, it.Method, parseURL(t, it.URL), it.Response})
	}
	return list
}

// vcrpy reads a file of the other format: bodies that were stored decoded are
// encoded again.
func vcrpy(t *testing.T, path string, data []byte) []exchange {
	t.Helper()
	var file struct {
		Interactions []struct {
			Request  struct{ Method, URI string }
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
	for i, it := range file.Interactions {
		body := []byte(it.Response.Body.String)
		if it.Response.Parsed != nil {
			var err error
			if body, err = json.Marshal(it.Response.Parsed); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		answer := wire.Response{Status: it.Response.Status.Code, Parts: []wire.Part{{Data: body}}}
		for name, values := range it.Response.Headers {
			if strings.EqualFold(name, "content-type") {
				answer.Header = append(answer.Header, wire.Field{Name: name, Value: values[0]})
				answer.Stream = strings.HasPrefix(values[0], "text/event-stream")
			}
			if strings.EqualFold(name, "retry-after") {
				answer.Header = append(answer.Header, wire.Field{Name: name, Value: values[0]})
			}
		}
		if answer.Stream {
			answer.Parts = eventParts(body)
		}
		list = append(list, exchange{path, i + 1, it.Request.Method, parseURL(t, it.Request.URI), answer})
	}
	return list
}

func parseURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// eventParts cuts a stream after each blank line.
func eventParts(body []byte) []wire.Part {
	blank := "\n\n"
	if bytes.Contains(body, []byte("\r\n\r\n")) {
		blank = "\r\n\r\n"
	}
	var parts []wire.Part
	for event := range bytes.SplitAfterSeq(body, []byte(blank)) {
		if len(event) > 0 {
			parts = append(parts, wire.Part{Data: event})
		}
	}
	return parts
}

// documents are the JSON objects of an answer: one, or those of its events.
func documents(t *testing.T, answer wire.Response) []map[string]any {
	t.Helper()
	texts := []string{string(answer.Body())}
	if answer.Stream {
		texts = nil
		for line := range strings.Lines(string(answer.Body())) {
			data, ok := strings.CutPrefix(line, "data:")
			if ok && strings.TrimSpace(data) != "[DONE]" {
				texts = append(texts, data)
			}
		}
	}
	var list []map[string]any
	for _, text := range texts {
		var root map[string]any
		if err := json.Unmarshal([]byte(text), &root); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		list = append(list, root)
	}
	return list
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

func num(v any) float64 {
	n, _ := v.(float64)
	return n
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
