package otlp

import (
	"encoding/json"
	"strings"
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
)

// A Log is one record of a program's log. Its maps are shared: they are to be
// read only.
type Log struct {
	// Severity is trace, debug, info, warn, error or fatal, "" where the program
	// does not say; SeverityText is its own word.
	Severity, SeverityText string
	// Body is what was said, mostly a string; see [object] for what else.
	Body any
	// At is by the program's clock.
	At         time.Time
	Attributes map[string]any
	// Resource says who sent it, such as service.name, and Scope which library.
	Resource map[string]any
	Scope    string
	// TraceID and SpanID are those of the span during which it was said, in
	// lower-case hexadecimal, "" for none.
	TraceID, SpanID string
}

// A keptLog is a record with what was sent of it where something is hidden: text is the body,
// else "".
type keptLog struct {
	Log
	text string
	sent asSent
}

// Text is the body as a string, JSON where it is none.
func (l *Log) Text() string {
	if s, ok := l.Body.(string); ok {
		return s
	}
	text, err := json.Marshal(l.Body)
	if err != nil {
		return "" // a number that JSON does not have
	}
	return string(text)
}

// Object is the record as expressions see it; since makes an instant a time of
// the run, in milliseconds.
func (l *Log) Object(since func(time.Time) any) map[string]any {
	return map[string]any{
		"severity": orNil(l.Severity), "severity_text": orNil(l.SeverityText), "body": l.Body, "at_ms": since(l.At), "attributes": l.Attributes,
		"resource": l.Resource, "scope": orNil(l.Scope), "trace_id": orNil(l.TraceID), "span_id": orNil(l.SpanID),
	}
}

// A LogQuery says what a record has to have; what is empty says nothing.
type LogQuery struct {
	// Severity is that of [Log], or the program's own word; case is ignored.
	Severity string
	// Body is the whole text; * is any run of characters.
	Body string
	// Attributes are some of a record's: strings, booleans and numbers, which
	// compare by value.
	Attributes map[string]any
}

// Logs are the records that the query fits, in the order in which they came. The
// error, an *[UnknownError], says that none has ever come, or that the severity is
// neither a level nor a word of the program.
func (s *Store) Logs(q LogQuery) ([]Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logs.received == 0 {
		return nil, unknown("log record", "", nil, 0)
	}
	if words := s.severities(); q.Severity != "" && !words[strings.ToLower(q.Severity)] {
		return nil, unknown("severity", q.Severity, words, s.logs.received)
	}
	var list []Log
	for _, l := range s.logs.all() {
		if q.fits(&l) {
			list = append(list, l.Log)
		}
	}
	return list, nil
}

// severities are the levels, and the program's own words in lower case.
func (s *Store) severities() map[string]bool {
	words := map[string]bool{}
	for _, level := range levels {
		words[level] = true
	}
	for _, l := range s.logs.all() {
		if l.SeverityText != "" {
			words[strings.ToLower(l.SeverityText)] = true
		}
	}
	return words
}

func (q *LogQuery) fits(l *keptLog) bool {
	if q.Severity != "" && !strings.EqualFold(q.Severity, l.Severity) && !strings.EqualFold(q.Severity, l.SeverityText) {
		return false
	}
	if q.Body != "" && !matches(q.Body, l.Text()) && !(l.text != "" && matches(q.Body, l.text)) {
		return false
	}
	return l.sent.fits(l.Attributes, q.Attributes)
}

// matches reports whether a text fits a pattern, in which * is any run of
// characters.
func matches(pattern, text string) bool {
	first, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, last)
}

// addLogs keeps the records of a request.
func (s *Store) addLogs(m *logspb.LogsData) {
	for _, rl := range m.GetResourceLogs() {
		resource := s.hide.object(object(rl.GetResource().GetAttributes()))
		for _, sl := range rl.GetScopeLogs() {
			scope := s.hide.text(sl.GetScope().GetName())
			for _, p := range sl.GetLogRecords() {
				l := s.log(p)
				l.Resource, l.Scope = resource, scope
				s.logs.add(l, 200+len(l.SeverityText)+sizeOf(l.Body)+sizeOf(l.Attributes)+len(l.text)+sizeOf(map[string]any(l.sent)), s.most)
			}
		}
	}
}

func (s *Store) log(p *logspb.LogRecord) keptLog {
	at := p.GetTimeUnixNano()
	if at == 0 {
		at = p.GetObservedTimeUnixNano()
	}
	l := keptLog{Log: Log{
		Severity: severity(p), SeverityText: s.hide.text(p.GetSeverityText()), At: instant(at),
		TraceID: identifier(p.GetTraceId()), SpanID: identifier(p.GetSpanId()),
		Body: valueOf(p.GetBody()),
	}}
	l.text = l.Text()
	l.Body = s.hide.value("", l.Body)
	if l.text == l.Text() {
		l.text = ""
	}
	l.Attributes, l.sent = s.hide.attributes(object(p.GetAttributes()))
	return l
}

// levels are the severities, four numbers each, from 1.
var levels = []string{"trace", "debug", "info", "warn", "error", "fatal"}

// severity is the level of a record by its number, or else by a usual word.
func severity(p *logspb.LogRecord) string {
	if n := int(p.GetSeverityNumber()); n >= 1 && n <= 4*len(levels) {
		return levels[(n-1)/4]
	}
	word := strings.ToLower(p.GetSeverityText())
	switch word {
	case "warning":
		return "warn"
	case "err":
		return "error"
	case "critical":
		return "fatal"
	}
	for _, level := range levels {
		if word == level {
			return level
		}
	}
	return ""
}
