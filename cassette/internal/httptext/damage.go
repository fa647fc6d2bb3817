package httptext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/scenario-lang/scenario/wire"
)

// CutFlaw says what proves that the body of a complete response was cut, or
// "". What no reader of the content type could call cut passes: a server may
// send nonsense, and recordings of it are welcome.
func CutFlaw(r *wire.Response) string {
	if HasField(r.Header, "Content-Encoding") {
		return ""
	}
	contentType := FieldValue(r.Header, "Content-Type")
	if IsJSON(contentType) && cutJSON(r.Body()) {
		return "the JSON body of the response does not close"
	}
	split := SplitterOf(contentType)
	if split == nil || len(r.Parts) == 0 {
		return ""
	}
	last := lastEvent(r.Parts)
	if _, complete := split(last); complete || IsDone(last) || closedData(last) {
		return ""
	}
	return "the last event of the response's stream is cut"
}

func lastEvent(parts []wire.Part) []byte {
	for i := len(parts) - 1; i >= 0; i-- {
		if len(parts[i].Data) > 0 {
			return parts[i].Data
		}
	}
	return nil
}

// closedData reports whether an event without its blank line still has whole
// lines and whole JSON: some servers leave the last blank line out.
func closedData(event []byte) bool {
	text, ended := bytes.CutSuffix(event, []byte("\n"))
	if !ended {
		return false
	}
	last := text[bytes.LastIndexByte(text, '\n')+1:]
	if bytes.HasPrefix(last, []byte(":")) {
		return true
	}
	data, ok := bytes.CutPrefix(last, []byte("data:"))
	return ok && json.Valid(data)
}

// cutJSON reports whether data is the beginning of a JSON text that does not
// close. Empty data and what is no JSON at all is not.
func cutJSON(data []byte) bool {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(data)).Decode(&v)
	return errors.Is(err, io.ErrUnexpectedEOF)
}
