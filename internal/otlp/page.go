package otlp

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Scrape keeps the metrics of a page in the text format of Prometheus (0.0.4,
// or that of OpenMetrics), by the names that stand there. A histogram or summary
// x has a series x, too, of its count and sum. A page is kept whole or not at
// all; the error says in which line it is none.
func (s *Store) Scrape(from io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(from, bodyMost+1))
	switch {
	case err != nil:
		return fmt.Errorf("the page of metrics cannot be read: %w", err)
	case len(text) > bodyMost:
		return fmt.Errorf("the page of metrics has more than %d bytes", bodyMost)
	case !utf8.Valid(text):
		return errors.New("the page of metrics is no text of UTF-8")
	}
	p := page{types: map[string]string{}}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if err := p.line(strings.TrimRight(line, "\r\n")); err != nil {
			return fmt.Errorf("line %d of the page of metrics: %w", n, err)
		}
	}
	s.keep(&p)
	s.changed()
	return nil
}

// A page is what was read of one.
type page struct {
	// types are those of families, by their names.
	types   map[string]string
	samples []pageSample
}

// A pageSample is one line with a value.
type pageSample struct {
	name   string
	labels map[string]any
	value  float64
}

// line reads a comment, a sample or nothing.
func (p *page) line(text string) error {
	text = strings.Trim(text, " \t")
	if text == "" {
		return nil
	}
	if comment, ok := strings.CutPrefix(text, "#"); ok {
		return p.comment(comment)
	}
	s, err := readSample(text)
	if err != nil {
		return err
	}
	p.samples = append(p.samples, s)
	return nil
}

// comment reads # TYPE name type; all others say nothing about values.
func (p *page) comment(text string) error {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), "TYPE")
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return nil
	}
	in := &scanner{rest: rest}
	in.space()
	name, err := in.name()
	if err != nil {
		return err
	}
	p.types[name] = strings.ToLower(strings.Trim(in.rest, " \t"))
	return nil
}

// readSample reads name{label="value",…} value, and passes over the time and
// the exemplar after it.
func readSample(text string) (pageSample, error) {
	in := &scanner{rest: text}
	s := pageSample{labels: map[string]any{}}
	var err error
	if !strings.HasPrefix(text, "{") {
		if s.name, err = in.name(); err != nil {
			return s, err
		}
	}
	in.space()
	if in.take("{") {
		if err := in.labels(&s); err != nil {
			return s, err
		}
	}
	if s.name == "" {
		return s, errors.New("a sample has no name")
	}
	in.space()
	value, rest, _ := strings.Cut(strings.ReplaceAll(in.rest, "\t", " "), " ")
	if s.value, err = strconv.ParseFloat(value, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
		return s, fmt.Errorf("the value of %s is %q, and no number", s.name, value)
	}
	if at, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " "); at != "" && !strings.HasPrefix(at, "#") {
		if _, err := strconv.ParseFloat(at, 64); err != nil {
			return s, fmt.Errorf("after the value of %s there is %q, and no time", s.name, at)
		}
	}
	return s, nil
}

// A scanner reads a line from its beginning.
type scanner struct{ rest string }

func (in *scanner) space() { in.rest = strings.TrimLeft(in.rest, " \t") }

func (in *scanner) take(prefix string) bool {
	rest, ok := strings.CutPrefix(in.rest, prefix)
	in.rest = rest
	return ok
}

// name reads a name as it is, or in quotes, as names with other signs are.
func (in *scanner) name() (string, error) {
	if strings.HasPrefix(in.rest, `"`) {
		return in.quoted()
	}
	n := 0
	for n < len(in.rest) && isNameByte(in.rest[n], n == 0) {
		n++
	}
	if n == 0 {
		return "", fmt.Errorf("there is no name at %q", in.rest)
	}
	name := in.rest[:n]
	in.rest = in.rest[n:]
	return name, nil
}

func isNameByte(c byte, first bool) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || !first && c >= '0' && c <= '9'
}

// quoted reads a text in quotes, in which \\, \" and \n stand for a sign.
func (in *scanner) quoted() (string, error) {
	if !in.take(`"`) {
		return "", fmt.Errorf("there is no quote at %q", in.rest)
	}
	var text strings.Builder
	for i := 0; i < len(in.rest); i++ {
		switch c := in.rest[i]; c {
		case '"':
			in.rest = in.rest[i+1:]
			return text.String(), nil
		case '\\':
			if i++; i == len(in.rest) {
				return "", errors.New("a quote has no end")
			}
			switch c := in.rest[i]; c {
			case 'n':
				text.WriteByte('\n')
			case '\\', '"':
				text.WriteByte(c)
			default:
				text.WriteByte('\\')
				text.WriteByte(c)
			}
		default:
			text.WriteByte(c)
		}
	}
	return "", errors.New("a quote has no end")
}

// labels reads up to the closing brace. A quoted name without a value is the
// sample's own.
func (in *scanner) labels(s *pageSample) error {
	for {
		in.space()
		if in.take("}") {
			return nil
		}
		isQuoted := strings.HasPrefix(in.rest, `"`)
		name, err := in.name()
		if err != nil {
			return err
		}
		in.space()
		if in.take("=") {
			in.space()
			value, err := in.quoted()
			if err != nil {
				return fmt.Errorf("the label %s: %w", name, err)
			}
			s.labels[name] = value
		} else if isQuoted && s.name == "" {
			s.name = name
		} else {
			return fmt.Errorf("the label %s has no value", name)
		}
		in.space()
		if !in.take(",") && !strings.HasPrefix(in.rest, "}") {
			return fmt.Errorf("there is neither a comma nor a closing brace at %q", in.rest)
		}
	}
}

// keep adds what a page says to the store.
func (s *Store) keep(p *page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	type whole struct {
		told
		sample
	}
	observed := map[string]*whole{}
	for _, got := range p.samples {
		family, part := p.family(got.name)
		of := told{Series: Series{Name: s.hide.text(got.name), Kind: Gauge}}
		of.Labels, of.sent = s.hide.attributes(got.labels)
		switch kind := p.types[family]; {
		case part == "_created", kind == "summary" && part == "":
			continue // when it began; a quantile, which adds up to nothing
		case kind == "counter", part != "":
			of.Kind = Counter
		}
		s.metrics.add(of, true, point{sample: sample{value: got.value}}, s.most)
		if part != "_count" && part != "_sum" {
			continue
		}
		key := fmt.Sprintf("%s %#v", family, of.Labels)
		if observed[key] == nil {
			observed[key] = &whole{told: told{sent: of.sent, Series: Series{Name: s.hide.text(family), Kind: Histogram, Labels: of.Labels}}}
		}
		if part == "_count" {
			observed[key].value = got.value
		} else {
			observed[key].sum = got.value
		}
	}
	for _, key := range slices.Sorted(maps.Keys(observed)) {
		s.metrics.add(observed[key].told, true, point{sample: observed[key].sample}, s.most)
	}
}

// family is the name that the type of a sample stands under, and what the
// sample's own name has beyond it where it is a part of a histogram or summary.
func (p *page) family(name string) (family, part string) {
	for _, suffix := range []string{"_bucket", "_count", "_sum", "_created", "_total"} {
		base, ok := strings.CutSuffix(name, suffix)
		if !ok {
			continue
		}
		switch kind := p.types[base]; {
		case suffix == "_total" && kind == "counter":
			return base, ""
		case suffix == "_created" && kind != "":
			return base, suffix
		case kind == "histogram", kind == "summary" && suffix != "_bucket":
			return base, suffix
		}
	}
	return name, ""
}
