package sql

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Recorded is the media type of an answer as recordings hold it: one message of
// the server a line, as an object of JSON. The first is ReadyForQuery where the
// session was opened, and an ErrorResponse where it was refused; the rest of
// the opening says nothing about a statement and is left out.
const Recorded = "application/vnd.scenario.postgres+x-ndjson"

// line is one message. Only what a client can act on is kept: of an error no
// place in the server's own source.
type line struct {
	Type   string   `json:"type"`
	Fields []column `json:"fields,omitempty"`
	// Values are those of a row, as text.
	Values  []*string `json:"values,omitempty"`
	Tag     string    `json:"tag,omitempty"`
	Status  string    `json:"status,omitempty"`
	OIDs    []uint32  `json:"oids,omitempty"`
	Problem *problem  `json:"error,omitempty"`
}

type column struct {
	Name string `json:"name"`
	OID  uint32 `json:"oid"`
	Size int16  `json:"size"`
	Mod  int32  `json:"modifier"`
}

type problem struct {
	Severity   string `json:"severity"`
	SQLState   string `json:"sqlstate"`
	Message    string `json:"message"`
	Detail     string `json:"detail,omitempty"`
	Hint       string `json:"hint,omitempty"`
	Position   int32  `json:"position,omitempty"`
	Schema     string `json:"schema,omitempty"`
	Table      string `json:"table,omitempty"`
	Column     string `json:"column,omitempty"`
	Type       string `json:"data_type,omitempty"`
	Constraint string `json:"constraint,omitempty"`
}

// The types of lines that have nothing but their type.
var bare = map[string]pgproto3.BackendMessage{
	"ParseComplete": &pgproto3.ParseComplete{}, "BindComplete": &pgproto3.BindComplete{}, "NoData": &pgproto3.NoData{},
	"EmptyQueryResponse": &pgproto3.EmptyQueryResponse{}, "PortalSuspended": &pgproto3.PortalSuspended{}, "CloseComplete": &pgproto3.CloseComplete{},
}

// Line is a message as a line of a recording, without its line end; ok is false
// for one that recordings leave out. The error is about values that are no
// text.
func Line(m pgproto3.BackendMessage) (text []byte, ok bool, err error) {
	l, err := lineOf(m)
	if err != nil || l.Type == "" {
		return nil, false, err
	}
	text, err = providers.EncodeJSON(l)
	return text, err == nil, err
}

func lineOf(m pgproto3.BackendMessage) (line, error) {
	switch m := m.(type) {
	case *pgproto3.ParseComplete:
		return line{Type: "ParseComplete"}, nil
	case *pgproto3.BindComplete:
		return line{Type: "BindComplete"}, nil
	case *pgproto3.NoData:
		return line{Type: "NoData"}, nil
	case *pgproto3.EmptyQueryResponse:
		return line{Type: "EmptyQueryResponse"}, nil
	case *pgproto3.PortalSuspended:
		return line{Type: "PortalSuspended"}, nil
	case *pgproto3.CloseComplete:
		return line{Type: "CloseComplete"}, nil
	case *pgproto3.ParameterDescription:
		return line{Type: "ParameterDescription", OIDs: m.ParameterOIDs}, nil
	case *pgproto3.RowDescription:
		return describedLine(m), nil
	case *pgproto3.DataRow:
		return rowLine(m)
	case *pgproto3.CommandComplete:
		return line{Type: "CommandComplete", Tag: string(m.CommandTag)}, nil
	case *pgproto3.ReadyForQuery:
		return line{Type: "ReadyForQuery", Status: string(rune(m.TxStatus))}, nil
	case *pgproto3.ErrorResponse:
		return line{Type: "ErrorResponse", Problem: problemOf(m)}, nil
	case *pgproto3.NoticeResponse:
		return line{Type: "NoticeResponse", Problem: problemOf((*pgproto3.ErrorResponse)(m))}, nil
	}
	return line{}, nil
}

func describedLine(m *pgproto3.RowDescription) line {
	l := line{Type: "RowDescription"}
	for _, f := range m.Fields {
		l.Fields = append(l.Fields, column{string(f.Name), f.DataTypeOID, f.DataTypeSize, f.TypeModifier})
	}
	return l
}

func rowLine(m *pgproto3.DataRow) (line, error) {
	l := line{Type: "DataRow"}
	for _, v := range m.Values {
		if v == nil {
			l.Values = append(l.Values, nil)
			continue
		}
		if !utf8.Valid(v) {
			return line{}, errors.New("a value of the answer is no UTF-8 text and cannot be recorded")
		}
		text := string(v)
		l.Values = append(l.Values, &text)
	}
	return l, nil
}

func problemOf(e *pgproto3.ErrorResponse) *problem {
	return &problem{
		e.SeverityUnlocalized, e.Code, e.Message, e.Detail, e.Hint, e.Position,
		e.SchemaName, e.TableName, e.ColumnName, e.DataTypeName, e.ConstraintName,
	}
}

// message is the message of a line.
func (l line) message() (pgproto3.BackendMessage, error) {
	if m := bare[l.Type]; m != nil {
		return m, nil
	}
	switch l.Type {
	case "ParameterDescription":
		return &pgproto3.ParameterDescription{ParameterOIDs: l.OIDs}, nil
	case "RowDescription":
		m := &pgproto3.RowDescription{}
		for _, c := range l.Fields {
			m.Fields = append(m.Fields, pgproto3.FieldDescription{Name: []byte(c.Name), DataTypeOID: c.OID, DataTypeSize: c.Size, TypeModifier: c.Mod})
		}
		return m, nil
	case "DataRow":
		return &pgproto3.DataRow{Values: l.values()}, nil
	case "CommandComplete":
		return &pgproto3.CommandComplete{CommandTag: []byte(l.Tag)}, nil
	case "ReadyForQuery":
		if len(l.Status) == 1 {
			return &pgproto3.ReadyForQuery{TxStatus: l.Status[0]}, nil
		}
		return nil, fmt.Errorf("a ReadyForQuery of status %q: it is I, T or E", l.Status)
	case "ErrorResponse", "NoticeResponse":
		if l.Problem == nil {
			return nil, fmt.Errorf("an %s that does not say what is wrong", l.Type)
		}
		e := l.Problem.response()
		if l.Type == "NoticeResponse" {
			return (*pgproto3.NoticeResponse)(e), nil
		}
		return e, nil
	}
	return nil, fmt.Errorf("a message of type %q, which is none of those that are recorded", l.Type)
}

func (l line) values() [][]byte {
	values := make([][]byte, len(l.Values))
	for i, v := range l.Values {
		if v != nil {
			values[i] = []byte(*v)
		}
	}
	return values
}

func (p *problem) response() *pgproto3.ErrorResponse {
	return &pgproto3.ErrorResponse{
		Severity: p.Severity, SeverityUnlocalized: p.Severity, Code: p.SQLState, Message: p.Message, Detail: p.Detail, Hint: p.Hint,
		Position: p.Position, SchemaName: p.Schema, TableName: p.Table, ColumnName: p.Column, DataTypeName: p.Type, ConstraintName: p.Constraint,
	}
}

// part is what a client meets of a line.
func part(text []byte) (wire.Part, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return wire.Part{}, fmt.Errorf("%s, which is no message: %w", providers.Excerpt(text), err)
	}
	m, err := l.message()
	if err != nil {
		return wire.Part{}, err
	}
	p := wire.Part{Kind: wire.PartEvent}
	if p.Data, err = m.Encode(nil); err != nil {
		return wire.Part{}, err
	}
	switch l.Type {
	case "DataRow":
		p.Kind = wire.PartChunk
	case "ReadyForQuery":
		p.Kind = wire.PartDone
	}
	return p, nil
}

// newLines splits a recording into its lines.
func newLines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(nil, messageMax)
	return s
}

// replayed are the bytes of the messages of a recording.
type replayed struct {
	lines  *bufio.Scanner
	data   []byte
	begun  bool
	failed error
}

func (r *replayed) Read(p []byte) (int, error) {
	for len(r.data) == 0 {
		if r.failed != nil {
			return 0, r.failed
		}
		r.next()
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}

func (r *replayed) next() {
	if !r.lines.Scan() {
		if r.failed = r.lines.Err(); r.failed == nil {
			r.failed = io.EOF
		}
		return
	}
	if len(r.lines.Bytes()) == 0 {
		return
	}
	m, err := part(r.lines.Bytes())
	if r.data, r.failed = m.Data, err; err == nil && !r.begun && m.Kind == wire.PartDone {
		r.data = opening
	}
	r.begun = true
}
