package redact

import (
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
)

// A Finding is a secret in a file.
type Finding struct {
	Line int
	// Rule is the name that scanners of repositories give the form of the secret,
	// or one of credential-field, credential-parameter and credential-member for
	// what stands under a name that carries credentials.
	Rule string
	// Where is the place for people.
	Where string
	// Mark is the placeholder of the secret: it tells one from another and gives
	// none away.
	Mark string
}

// The rules about names.
const (
	ruleField     = "credential-field"
	ruleParameter = "credential-parameter"
	ruleMember    = "credential-member"
)

// ScanRules names all rules of [Scan].
func ScanRules() []string { return append(TokenIDs(), ruleField, ruleParameter, ruleMember) }

// Scan looks for secrets in a file of any format that is played or imported, and
// in any other file of YAML or JSON. It looks into every text that the file
// holds, so that a secret is found however the format wraps it, and not in a
// text of many letters without a break, such as an image. An error says the file
// and the line, as that of loading a cassette does.
func Scan(path string, data []byte) ([]Finding, error) {
	root := yamlnode.FromJSON(data)
	if root == nil {
		var err error
		if root, err = scanTree(data); err != nil {
			return nil, &flaw.Error{Path: path, Line: yamlnode.ErrorLine(err), Problem: "the file cannot be scanned, because it is neither YAML nor JSON: " + yamlnode.ErrorText(err), Hint: flaw.Restore, Err: err}
		}
	}
	s := newScanner()
	s.node(root, "", 0)
	slices.SortStableFunc(s.found, func(a, b Finding) int { return a.Line - b.Line })
	return s.found, nil
}

// ScanText looks for secrets in a text, such as a body.
func ScanText(text string) []Finding {
	s := newScanner()
	s.text(&yaml.Node{Kind: yaml.ScalarNode, Style: yaml.LiteralStyle, Value: text}, "")
	return s.found
}

// scanTree turns a panic of the YAML library into an error.
func scanTree(data []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	root = &yaml.Node{}
	err = yaml.Unmarshal(data, root)
	return root, err
}

type scanner struct {
	found []Finding
	seen  map[string]bool
	// base64 are texts that a member beside them says are in Base64.
	base64 map[*yaml.Node]bool
}

func newScanner() scanner {
	return scanner{seen: map[string]bool{}, base64: map[*yaml.Node]bool{}}
}

// scanDepth bounds how deep a file is looked into.
const scanDepth = 10_000

// node looks through a node under a key.
func (s *scanner) node(n *yaml.Node, key string, depth int) {
	if depth > scanDepth {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		s.pair(n)
		for i := 0; i+1 < len(n.Content); i += 2 {
			s.node(n.Content[i+1], n.Content[i].Value, depth+1)
		}
	case yaml.SequenceNode, yaml.DocumentNode:
		for _, item := range n.Content {
			s.node(item, key, depth+1)
		}
	case yaml.ScalarNode:
		s.text(n, key)
	}
}

// pair is what HAR says of a text in the member beside it: the name of a field
// of a header, and that a body is in Base64.
func (s *scanner) pair(n *yaml.Node) {
	if text, encoding := yamlnode.Lookup(n, "text"), yamlnode.Lookup(n, "encoding"); text != nil && encoding != nil && encoding.Value == "base64" {
		s.base64[text] = true
	}
	name, value := yamlnode.Lookup(n, "name"), yamlnode.Lookup(n, "value")
	if name != nil && value != nil && value.Kind == yaml.ScalarNode {
		s.named(value, name.Value)
	}
}

// text looks at what stands under a key, and at the bytes that it stands for
// where it is Base64 or compressed.
func (s *scanner) text(n *yaml.Node, key string) {
	if key == "base64Body" || n.Tag == "!!binary" {
		s.base64[n] = true
	}
	s.named(n, key)
	s.look(n)
	body := n.Value
	if s.base64[n] {
		body = decoded(body)
	}
	if body = UnpackedAll("", body); body != n.Value {
		s.look(&yaml.Node{Kind: yaml.ScalarNode, Line: n.Line, Value: body})
	}
}

// decoded is what a Base64 text stands for, itself where it is none.
func decoded(text string) string {
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return text
	}
	return string(data)
}

// look looks for what nobody named.
func (s *scanner) look(n *yaml.Node) {
	text := n.Value
	done := 0
	for _, t := range s.tokens(n) {
		if t.Start >= done {
			s.add(n, t.Start, t.Rule, "a token", text[t.Start:t.End])
		}
		done = max(done, t.End)
	}
	s.deltas(n)
	if shown := hideMembers(text); shown != text {
		s.hidden(n, text, shown, ruleMember, "a member of a JSON object")
	}
	if shown := hideURLs(text); shown != text {
		s.hidden(n, text, shown, ruleParameter, "a URL")
	}
}

// tokens are the tokens of a text. One that is known to be Base64 is looked at
// when it is decoded.
func (s *scanner) tokens(n *yaml.Node) []Sighting {
	if s.base64[n] {
		return sightings(n.Value)
	}
	return Sightings(n.Value)
}

// deltas looks for tokens that a stream brings in pieces, as a model writes
// them. Their line is that of the first piece.
func (s *scanner) deltas(n *yaml.Node) {
	if !isLines(n.Value) {
		return
	}
	byPath := deltasOf(n.Value)
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		pieces := byPath[path]
		var joined strings.Builder
		ends := make([]int, len(pieces))
		for i, d := range pieces {
			joined.WriteString(d.text)
			ends[i] = joined.Len()
		}
		text := joined.String()
		for _, t := range Sightings(text) {
			first, _ := slices.BinarySearch(ends, t.Start+1)
			if ends[first] < t.End { // else it stands in one piece, and was found there
				s.add(n, pieces[first].start, t.Rule, "the pieces of a stream", text[t.Start:t.End])
			}
		}
	}
}

// isLines reports whether a text has lines as the streams of models have them.
func isLines(text string) bool {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, "data:") || strings.HasPrefix(line, "{") {
			n++
		}
		if n > 1 {
			return true
		}
	}
	return false
}

// named looks at a value under a name that carries credentials.
func (s *scanner) named(n *yaml.Node, name string) {
	switch {
	case n.Tag == "!!bool", isDummy(n.Value):
	case isOwnField(name, n.Value) && !(strings.Contains(name, "_") && IsSecretMember(name, n.Value)):
		s.add(n, 0, ruleField, "the field "+name, n.Value)
	case IsSecretMember(name, n.Value):
		s.add(n, 0, ruleMember, "the member "+name, n.Value)
	}
}

var placeholderText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(placeholderStart + `[0-9a-f]{16}>|` + regexp.QuoteMeta(escapedStart) + `[0-9a-f]{16}%3E`)
})

// hidden adds what redaction would have replaced: its placeholders that the text
// does not have already.
func (s *scanner) hidden(n *yaml.Node, text, shown, rule, where string) {
	for _, mark := range placeholderText().FindAllString(shown, -1) {
		if !strings.Contains(text, mark) {
			s.mark(max(1, n.Line), rule, where, mark)
		}
	}
}

// add adds a secret that begins at a place of a text.
func (s *scanner) add(n *yaml.Node, at int, rule, where, secret string) {
	line := n.Line
	if n.Style&yaml.LiteralStyle != 0 {
		line += 1 + strings.Count(n.Value[:at], "\n")
	}
	s.mark(line, rule, where, Placeholder(secret))
}

// mark adds each secret once per line: two rules may see the same one.
func (s *scanner) mark(line int, rule, where, mark string) {
	key := fmt.Sprint(line, " ", mark)
	if !s.seen[key] && !slices.Contains(dummyMarks(), mark) {
		s.seen[key] = true
		s.found = append(s.found, Finding{line, rule, where, mark})
	}
}

// dummies are what people and other recorders put in the place of a secret.
var dummies = []string{
	"redacted", "<redacted>", "[redacted]", "scrubbed", "filtered", "<filtered>", "hidden", "<hidden>", "dummy", "fake", "secret", "test", "none", "null", "bearer", "xxx", "***",
}

// dummyMarks are the placeholders of dummies, for places where only a placeholder
// is known.
var dummyMarks = sync.OnceValue(func() []string {
	marks := make([]string, len(dummies))
	for i, d := range dummies {
		marks[i] = Placeholder(d)
	}
	return marks
})

// isDummy reports whether a value stands for a secret and is none.
func isDummy(value string) bool {
	v := strings.ToLower(strings.TrimSpace(value))
	for _, scheme := range []string{"bearer ", "basic ", "token "} {
		v = strings.TrimPrefix(v, scheme)
	}
	return len(v) < ShortestSecret || IsPlaceholder(v) || slices.Contains(dummies, v) || strings.Trim(v, "*x") == "" ||
		placeholderText().MatchString(value)
}
