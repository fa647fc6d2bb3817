package cassette

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"gopkg.in/yaml.v3"
)

// Every file of a folder of recordings, of whatever tool, loads and is stable
// in our format, or is refused with a reason and what to do.
func TestCorpus(t *testing.T) {
	for _, path := range adaptertest.CorpusFiles(t, "") {
		c, err := Load(path)
		if err != nil {
			var e *LoadError
			if !errors.As(err, &e) || e.Problem == "" || e.Hint == "" {
				t.Fatalf("refused without a reason: %v", err)
			}
			continue
		}
		if d := sameItems(c.Interactions, parsed(t, written(t, c.Interactions...)).Interactions); d != "" {
			t.Errorf("%s: after writing and reading\n%s", path, d)
		}
	}
}

// Every recording of go-vcr loads, replays byte for byte, and is the same after
// it was written in our format.
func TestCorpusGoVCR(t *testing.T) {
	files := adaptertest.CorpusFiles(t, "go-vcr")
	for _, path := range files {
		c, err := Load(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Format != "go-vcr 2" || len(c.Warnings) != 1 {
			t.Errorf("%s: %s, %q", path, c.Format, c.Warnings)
		}
		if d := sameItems(c.Interactions, parsed(t, written(t, c.Interactions...)).Interactions); d != "" {
			t.Errorf("%s: after writing and reading\n%s", path, d)
		}
		p, err := NewPlayer(c, Options{Profile: match.Strict})
		if err != nil {
			t.Fatal(err)
		}
		bodies := recordedBodies(t, path)
		for _, it := range c.Interactions {
			resp, body, err := play(t, p, callOf(it))
			if err != nil || resp.StatusCode != it.Response.Status || body != bodies[it.Index-1] {
				t.Errorf("%s, interaction %d: %v", path, it.Index, err)
			}
			if it.Response.Stream {
				checkEvents(t, path, it)
			}
		}
		if n := len(p.Unused()); n != 0 {
			t.Errorf("%s: %d unused", path, n)
		}
	}
}

// checkEvents checks that every part of an SSE body is one event.
func checkEvents(t *testing.T, path string, it *Interaction) {
	t.Helper()
	if !strings.HasPrefix(httptext.FieldValue(it.Response.Header, "Content-Type"), "text/event-stream") {
		return
	}
	for i, p := range it.Response.Parts {
		text := strings.ReplaceAll(string(p.Data), "\r\n", "\n")
		if strings.Count(text, "\n\n") != 1 || !strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s, interaction %d: part %d is %q", path, it.Index, i, p.Data)
		}
	}
}

// vcrpySamples is how many of its files the sample recordings have.
const vcrpySamples = 161

// Every recording of vcrpy loads, and the same exchanges are there after they
// were written in our format and read back. Over all the samples, the bodies
// are those that PyYAML and Python's json gave for them.
func TestCorpusVCRPy(t *testing.T) {
	files := adaptertest.CorpusFiles(t, "vcrpy")
	sum := sha256.New()
	for _, path := range files {
		c, err := Load(path)
		if err != nil && len(files) != vcrpySamples {
			t.Logf("refused: %v", err)
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Format != "vcrpy 1" || !c.Whole || len(c.Warnings) != 0 {
			t.Errorf("%s: %s, whole %v, %q", path, c.Format, c.Whole, c.Warnings)
		}
		again := parsed(t, written(t, c.Interactions...))
		if d := sameItems(c.Interactions, again.Interactions); d != "" {
			t.Errorf("%s: after writing and reading\n%s", path, d)
		}
		p, err := NewPlayer(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range c.Interactions {
			for _, body := range [][]byte{it.RequestBody, it.Response.Body()} {
				sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(body))))
				sum.Write(body)
			}
			resp, body, err := play(t, p, callOf(it))
			if err != nil || resp.StatusCode != it.Response.Status || body != string(it.Response.Body()) {
				t.Errorf("%s, interaction %d: %v", path, it.Index, err)
			}
			if it.Response.Stream {
				checkEvents(t, path, it)
			}
		}
	}
	const python = "9b94bb093b90234326c23065d000071dc9c95d473d2c9025c45ba778a41550fa"
	if got := hex.EncodeToString(sum.Sum(nil)); len(files) == vcrpySamples && got != python {
		t.Errorf("the bodies have the sum %s, those of Python %s", got, python)
	}
}

// A recording that is cut at the end of any line, which is where a cut is
// hardest to see, is refused or has fewer interactions and a warning; what is
// left has whole answers.
func TestCorpusCut(t *testing.T) {
	files := adaptertest.CorpusFiles(t, "go-vcr")
	for _, path := range files[:min(8, len(files))] {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := bytes.IndexByte(data, '\n'); at < len(data)-1; at += 1 + bytes.IndexByte(data[at+1:], '\n') {
			c, err := Parse(path, data[:at+1])
			if err != nil {
				continue
			}
			for i, it := range c.Interactions {
				if !bytes.Equal(it.Response.Body(), whole.Interactions[i].Response.Body()) {
					t.Errorf("%s cut at %d: interaction %d is short", path, at, i+1)
				}
			}
		}
	}
}

// recordedBodies reads the bodies of the responses with nothing but YAML.
func recordedBodies(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Interactions []struct {
			Response struct{ Body string }
		}
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var bodies []string
	for _, item := range file.Interactions {
		bodies = append(bodies, item.Response.Body)
	}
	return bodies
}
