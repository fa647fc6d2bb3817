package sql_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// recording is what a recording holds of the messages, from the session's being
// open on.
func recording(t *testing.T, refused bool, messages []byte) string {
	t.Helper()
	f := pgproto3.NewFrontend(strings.NewReader(string(messages)), nil)
	data, err := io.ReadAll(&sql.Recording{Refused: refused, Next: f.Receive})
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	return string(data)
}

func restored(t *testing.T, text string) wire.Response {
	t.Helper()
	resp, err := sql.Adapter{}.Restore(wire.Response{
		Header: []wire.Field{{Name: "Content-Type", Value: sql.Recorded}}, Wait: time.Second, Parts: []wire.Part{{Data: []byte(text)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// Shows that what was recorded of any answer is played as the same bytes, with
// the opening of a session where there was one.
func TestRecordingIsPlayedAsItWas(t *testing.T) {
	out := providers.Output{
		Columns: []providers.Column{{Name: "id", Type: "int4"}, {Name: "note", Type: "text"}},
		Rows:    [][]any{{json.Number("1"), "λ \"quoted\" <&>"}, {nil, ""}},
	}
	for name, c := range map[string]struct {
		resp    wire.Response
		refused bool
		lines   int
	}{
		"rows":           {sql.Adapter{}.Render(in, out), false, 8},
		"an error":       {sql.Adapter{}.RenderTyped(in, "db_error", "no such thing", "23505"), false, 6},
		"a session over": {sql.Adapter{}.RenderTyped(in, "db_error", "bye", "57P01"), false, 5},
		"no session":     {sql.Adapter{}.RenderTyped(in, "db_error", "who?", "28000"), true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			text := recording(t, c.refused, c.resp.Body())
			if n := strings.Count(text, "\n"); n != c.lines {
				t.Errorf("%d lines, want %d:\n%s", n, c.lines, text)
			}
			again := restored(t, text)
			if diff := cmp.Diff(string(c.resp.Body()), string(again.Body())); diff != "" {
				t.Error(diff)
			}
			if string(again.Opening) != string(c.resp.Opening) || again.Wait != time.Second {
				t.Errorf("opened with %q after %s", again.Opening, again.Wait)
			}
		})
	}
}

// Shows that a recording keeps the time of every message, also of one that came
// in two reads, and the silence in which it broke off.
func TestRecordingKeepsTime(t *testing.T) {
	text := recording(t, false, sql.Adapter{}.Render(statement("begin"), providers.Output{}).Body())
	first := strings.Index(text, "\n") + 1
	half := first + 5
	resp, err := sql.Adapter{}.Restore(wire.Response{
		Header: []wire.Field{{Name: "Content-Type", Value: sql.Recorded}}, End: wire.EndHang,
		Parts: []wire.Part{
			{Data: []byte(text[:first])},
			{Wait: time.Second, Data: []byte(text[first:half])},
			{Wait: 2 * time.Second, Data: []byte(text[half : strings.Index(text[half:], "\n")+half+1])},
		},
	})
	if err != nil || len(resp.Parts) != 1 || resp.Parts[0].Wait != 3*time.Second || resp.End != wire.EndHang {
		t.Errorf("%v, %+v", err, resp)
	}
}

// Shows that a live answer is read as it comes, as its replay is.
func TestLinesAreRead(t *testing.T) {
	whole := sql.Adapter{}.Render(in, providers.Output{Content: "one row"})
	answer := wire.Response{
		Header: []wire.Field{{Name: "Content-Type", Value: sql.Recorded}},
		Parts:  []wire.Part{{Data: []byte(recording(t, false, whole.Body()))}},
	}
	over := in
	over.BaseURL = ""
	live, err := adaptertest.Play(lines{}, over, answer.Script(wire.Meta{}))
	if err != nil || live.Failed != nil || !live.Out.Complete || live.Out.Rows[0][0] != "one row" {
		t.Errorf("%v, %+v", err, live)
	}
}

// Shows what of a recording is refused, and that it is said which line is wrong.
func TestRecordingRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n":                                 `of type ""`,
		"no JSON\n":                            "no message",
		`{"type":"CopyInResponse"}` + "\n":     "CopyInResponse",
		`{"type":"ErrorResponse"}` + "\n":      "does not say what is wrong",
		`{"type":"ReadyForQuery"}` + "\n":      "status",
		`{"type":"DataRow","values":1}` + "\n": "no message",
	} {
		_, err := sql.Adapter{}.Restore(wire.Response{Header: []wire.Field{{Name: "Content-Type", Value: sql.Recorded}}, Parts: []wire.Part{{Data: []byte(text)}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if _, err := (sql.Adapter{}).Restore(wire.Response{Header: []wire.Field{{Name: "Content-Type", Value: "text/html"}}}); err == nil || !strings.Contains(err.Error(), "text/html") {
		t.Errorf("another's recording: %v", err)
	}
}
