package cassette

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/wire"
	"gopkg.in/yaml.v3"
)

// formatOwn is the version of our format that this package reads and writes.
const formatOwn = 1

// ownHeader is the value of the top-level key x-scenario.
type ownHeader struct {
	Format     int       `yaml:"format"`
	Provider   string    `yaml:"provider,omitempty"`
	RecordedAt time.Time `yaml:"recorded_at,omitempty"`
}

// itemKeys is the value of an interaction's key x-scenario.
type itemKeys struct {
	Scenario string          `yaml:"scenario,omitempty"`
	Step     string          `yaml:"step,omitempty"`
	Target   string          `yaml:"target,omitempty"`
	Lane     string          `yaml:"lane,omitempty"`
	Attempt  int             `yaml:"attempt,omitempty"`
	Round    int             `yaml:"round,omitempty"`
	Key      string          `yaml:"key,omitempty"`
	Protocol string          `yaml:"protocol,omitempty"`
	Error    string          `yaml:"error,omitempty"`
	Text     string          `yaml:"error_text,omitempty"`
	Type     string          `yaml:"error_type,omitempty"`
	End      string          `yaml:"end,omitempty"`
	At       time.Time       `yaml:"recorded_at,omitempty"`
	Trailers http.Header     `yaml:"trailers,omitempty"`
	Chunks   []Chunk         `yaml:"chunks,omitempty,flow"`
	Layout   *storedLayout   `yaml:"layout,omitempty,flow"`
	Sidecars *storedSidecars `yaml:"beside,omitempty,flow"`
	SHA256   string          `yaml:"sha256"`
	// refit says that the item was edited, so that its chunks may not fit.
	refit bool
}

// ownEnd is the value of the last top-level key, x-scenario-end.
type ownEnd struct {
	Count  int    `yaml:"count"`
	SHA256 string `yaml:"sha256"`
}

var (
	headerKeys = []string{"format", "provider", "recorded_at"}
	itemOwn    = []string{
		"scenario", "step", "target", "lane", "attempt", "round", "key", "protocol", "error", "error_text", "error_type",
		"end", "recorded_at", "trailers", "chunks", "layout", "beside", "sha256",
	}
)

// ends are the words of the key end; they are those of stream_truncate.
var ends = []struct {
	word string
	end  wire.End
}{
	{"complete", wire.EndNone},
	{"eof", wire.EndFIN},
	{"reset", wire.EndRST},
	{"stall", wire.EndHang},
	{"stall", wire.EndTimeout}, // a client that gave up; written, not read
}

func endOf(word string) (wire.End, bool) {
	for _, e := range ends {
		if e.word == word {
			return e.end, true
		}
	}
	return wire.EndNone, false
}

func wordOf(end wire.End) string {
	for _, e := range ends {
		if e.end == end {
			return e.word
		}
	}
	return ""
}

// sum is the checksum of an item: over the canonical JSON of its request,
// response and our keys but the checksum itself, as the file has them.
func (v *itemV1) sum() string {
	own := map[string]any{}
	set := func(key, text string) {
		if text != "" {
			own[key] = text
		}
	}
	set("scenario", v.Own.Scenario)
	set("step", v.Own.Step)
	set("target", v.Own.Target)
	set("lane", v.Own.Lane)
	set("key", v.Own.Key)
	set("protocol", v.Own.Protocol)
	set("error", v.Own.Error)
	set("error_text", v.Own.Text)
	set("error_type", v.Own.Type)
	set("end", v.Own.End)
	if !v.Own.At.IsZero() {
		own["recorded_at"] = v.Own.At.UTC().Format(time.RFC3339Nano)
	}
	if v.Own.Attempt != 0 {
		own["attempt"] = v.Own.Attempt
	}
	if v.Own.Round != 0 {
		own["round"] = v.Own.Round
	}
	if len(v.Own.Trailers) > 0 {
		own["trailers"] = valuesTree(v.Own.Trailers)
	}
	if len(v.Own.Chunks) > 0 {
		own["chunks"] = chunkTree(v.Own.Chunks)
	}
	if l := v.Own.Layout; l != nil {
		own["layout"] = wordTree(map[string][]string{"request": l.Request, "response": l.Response})
	}
	if b := v.Own.Sidecars; b != nil {
		own["beside"] = textTree(map[string]string{"request": b.Request, "response": b.Response})
	}
	return match.Sum(map[string]any{
		"request": map[string]any{
			"body": v.Request.Body, "form": valuesTree(v.Request.Form),
			"headers": valuesTree(v.Request.Headers), "url": v.Request.URL, "method": v.Request.Method,
		},
		"response": map[string]any{
			"body": v.Response.Body, "headers": valuesTree(v.Response.Headers), "status": v.Response.Status,
			"code": v.Response.Code, "duration": v.Response.Duration.String(),
		},
		keyOwn: own,
	})
}

// wordTree and textTree leave out what is empty, as the file does.
func wordTree(m map[string][]string) map[string]any {
	maps.DeleteFunc(m, func(_ string, words []string) bool { return len(words) == 0 })
	return valuesTree(url.Values(m))
}

func textTree(m map[string]string) map[string]any {
	tree := map[string]any{}
	for name, text := range m {
		if text != "" {
			tree[name] = text
		}
	}
	return tree
}

func chunkTree(chunks []Chunk) []any {
	tree := make([]any, len(chunks))
	for i, c := range chunks {
		tree[i] = map[string]any{"at": c.At.String(), "len": c.Len}
	}
	return tree
}

func valuesTree[M http.Header | url.Values](m M) map[string]any {
	tree := make(map[string]any, len(m))
	for name, values := range m {
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = v
		}
		tree[name] = list
	}
	return tree
}

// parseOwn reads a file of our format: first its end and its sums, then the
// interactions.
func parseOwn(root *yaml.Node, data []byte, bodies *bodyFolder) (*Cassette, error) {
	h, err := readHeader(root)
	if err != nil {
		return nil, err
	}
	items, err := itemNodes(root)
	if err != nil {
		return nil, err
	}
	if err := checkEnd(data, items, bodies); err != nil {
		return nil, err
	}
	if keys := yamlnode.UnknownKeys(root, []string{"version", keyOwn, "interactions", keyEnd}); len(keys) > 0 {
		return nil, unknownKey(keys[0], "the file")
	}
	c := &Cassette{
		Format: "scenario 1", Own: true, Whole: true, Provider: h.Provider, RecordedAt: h.RecordedAt,
		Interactions: make([]*Interaction, 0, len(items)),
	}
	for i, node := range items {
		it, err := ownInteraction(node, i+1, bodies)
		if err != nil {
			return nil, err
		}
		c.Interactions = append(c.Interactions, it)
	}
	return c, nil
}

func readHeader(root *yaml.Node) (h ownHeader, err error) {
	key, value := yamlnode.Entry(root, keyOwn)
	if yamlnode.IsNull(value) {
		return h, flaw.New(root.Line, flaw.Restore, "cassette truncated or damaged: the key %s is missing or empty", keyOwn)
	}
	if err := value.Decode(&h); err != nil {
		return h, flaw.New(key.Line, flaw.Restore, "%s: %s", keyOwn, yamlnode.ErrorText(err))
	}
	if h.Format > formatOwn {
		return h, flaw.New(key.Line, "update scenario", "format %d is newer than %d, the newest that is known here", h.Format, formatOwn)
	}
	if h.Format < 1 {
		return h, flaw.New(key.Line, flaw.Restore, "%s has no format", keyOwn)
	}
	if keys := yamlnode.UnknownKeys(value, headerKeys); len(keys) > 0 {
		return h, unknownKey(keys[0], keyOwn)
	}
	if version := yamlnode.Lookup(root, "version"); version == nil || version.Value != "1" {
		return h, flaw.New(root.Line, flaw.Restore, "the key \"version\" must be 1, which plain go-vcr reads")
	}
	return h, nil
}

func unknownKey(key *yaml.Node, where string) error {
	return flaw.New(key.Line, "update scenario; the file may be of a newer one", "%s has the unknown key %s", where, strconv.Quote(key.Value))
}

// checkEnd verifies the last line, which counts the interactions and sums the
// exact bytes before it. A file that was cut anywhere has no such line.
func checkEnd(data []byte, items []*yaml.Node, bodies *bodyFolder) error {
	at := bytes.LastIndex(data, []byte("\n"+keyEnd+":")) + 1
	if at == 0 {
		return flaw.New(0, flaw.Restore, "cassette truncated: the last line %s is missing after %d interactions", keyEnd, len(items))
	}
	line := bytes.Count(data[:at], []byte("\n")) + 1
	text := bytes.TrimSuffix(data[at:], []byte("\n"))
	if bytes.ContainsAny(text, "\r\n") {
		return flaw.New(line, hintEnds(data), "cassette damaged: %s is not the last line", keyEnd)
	}
	var last struct {
		End *ownEnd `yaml:"x-scenario-end"`
	}
	if err := yaml.Unmarshal(text, &last); err != nil || last.End == nil {
		return flaw.New(line, flaw.Restore, "cassette truncated: the last line %s is not whole", keyEnd)
	}
	if last.End.Count != len(items) {
		return flaw.New(line, flaw.Restore, "cassette truncated: it has %d of %d interactions", len(items), last.End.Count)
	}
	if sum := sha256.Sum256(data[:at]); hex.EncodeToString(sum[:]) != last.End.SHA256 {
		return changed(data, items, bodies)
	}
	return nil
}

// changed names the first interaction that is not as it was written.
func changed(data []byte, items []*yaml.Node, bodies *bodyFolder) error {
	for i, node := range items {
		if _, err := ownInteraction(node, i+1, bodies); err != nil {
			return err
		}
	}
	return flaw.New(0, hintEnds(data), "cassette damaged: its bytes are not those that were written, though every interaction is whole")
}

// hintEnds finds the usual harmless cause of a wrong sum. Our writer escapes
// carriage returns, so one in the file was put there.
func hintEnds(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) {
		return "line ends were turned into CRLF, as by autocrlf of git; mark cassettes `-text` in .gitattributes and check them out again"
	}
	return flaw.Restore
}

func ownInteraction(node *yaml.Node, index int, bodies *bodyFolder) (*Interaction, error) {
	item, err := decodeOwn(node, index)
	if err != nil {
		return nil, err
	}
	if item.sum() != item.Own.SHA256 {
		return nil, flaw.New(node.Line, flaw.Restore+"; if it was changed on purpose, `scenario cassette seal` writes its sums anew", "interaction %d is not as it was written: its sha256 differs", index)
	}
	return item.checked(node, index, bodies)
}

// decodeOwn reads an item without asking whether it is as it was written.
func decodeOwn(node *yaml.Node, index int) (*itemV1, error) {
	if err := layoutV1.check(node, index); err != nil {
		return nil, err
	}
	item := &itemV1{}
	if err := node.Decode(item); err != nil {
		e := flaw.New(yamlnode.ErrorLine(err), flaw.Restore, "interaction %d: %s", index, yamlnode.ErrorText(err))
		e.Err = err
		return nil, e
	}
	if item.Own == nil {
		return nil, flaw.New(node.Line, flaw.Restore, "interaction %d has no key %s", index, keyOwn)
	}
	if keys := yamlnode.UnknownKeys(yamlnode.Lookup(node, keyOwn), itemOwn); len(keys) > 0 {
		return nil, unknownKey(keys[0], keyOwn)
	}
	return item, nil
}

// checked is the item as an interaction, unless it contradicts itself.
func (item *itemV1) checked(node *yaml.Node, index int, bodies *bodyFolder) (*Interaction, error) {
	if err := item.restoreBodies(bodies); err != nil {
		e := flaw.New(node.Line, flaw.Restore, "interaction %d: %s", index, err)
		e.Err = err
		return nil, e
	}
	if item.Own.refit && chunkFlaw(item.Own.Chunks, len(item.Response.Body)) != "" {
		item.Own.Chunks = refitted(item.Own.Chunks, len(item.Response.Body))
	}
	if text := item.flaw(); text != "" {
		return nil, flaw.New(node.Line, flaw.Restore, "interaction %d: %s", index, text)
	}
	it := item.interaction()
	it.Index, it.Line = index, node.Line
	return it, it.CheckWire()
}

// flaw says what in the item contradicts itself, or "".
func (v *itemV1) flaw() string {
	_, known := endOf(v.Own.End)
	switch {
	case v.Own.Error != "" && !knownError(v.Own.Error):
		return "error " + strconv.Quote(v.Own.Error) + " is unknown; there are " + quotedErrorNames()
	case v.Own.Error != "" && (v.Response.Code != 0 || v.Response.Body != ""):
		return "it has an error and an answer"
	case v.Own.Error != "":
		return ""
	case !known:
		return "end " + strconv.Quote(v.Own.End) + " is unknown; there are complete, eof, reset, stall"
	case v.Response.Code < 100 || v.Response.Code > 999:
		return "the response has no status code and no error says why"
	case v.Own.Attempt < 0 || v.Own.Round < 0:
		return "attempt and round count from 1"
	}
	return chunkFlaw(v.Own.Chunks, len(v.Response.Body))
}

// chunkFlaw says why chunks cannot be those of a body of size bytes, or "".
func chunkFlaw(chunks []Chunk, size int) string {
	if len(chunks) == 0 {
		return ""
	}
	sum, last := 0, time.Duration(0)
	for _, c := range chunks {
		if c.Len < 0 || c.Len > size-sum || c.At < last {
			return "its chunks do not follow each other within the body"
		}
		sum, last = sum+c.Len, c.At
	}
	if sum != size {
		return "its chunks do not add up to the body"
	}
	return ""
}

// interaction is the item as the rest of the package sees it; the item has no
// flaw.
func (v *itemV1) interaction() *Interaction {
	it := fromV1(&v.Interaction)
	it.Scenario, it.Step, it.Target, it.Lane = v.Own.Scenario, v.Own.Step, v.Own.Target, v.Own.Lane
	it.Attempt, it.Round = v.Own.Attempt, v.Own.Round
	it.Key, it.Protocol = v.Own.Key, v.Own.Protocol
	it.Error, it.ErrorText, it.ErrorType = v.Own.Error, v.Own.Text, v.Own.Type
	it.Chunks, it.RecordedAt = v.Own.Chunks, v.Own.At
	it.Response.End, _ = endOf(v.Own.End)
	it.Response.Trailer = httptext.ReplayFields(v.Own.Trailers, nil)
	if it.Error == "" {
		it.SetAnswer(v.Response.Code, v.Response.Status, v.Response.Headers, v.Response.Body)
	}
	return it
}
