package wire

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Script lays the answer out as operations: one for the status line and the
// fields, which waits r.Wait, then one per part, so that every wait survives,
// and for a complete stream one more for the last chunk. No field is added but
// Content-Length or Transfer-Encoding; a Date is there only if Header has one.
//
// The operations share the memory of the parts. An answer whose status allows
// no content (1xx, 204, 304) is its head alone.
//
// An answer with an Opening is that, then its parts.
func (r Response) Script(meta Meta) WireScript {
	if r.Opening != nil {
		return WireScript{Ops: r.messages(), Meta: meta}
	}
	ops := make([]Op, 0, len(r.Parts)+2)
	ops = append(ops, Op{Wait: r.Wait, Data: r.head()})
	switch {
	case !contentAllowed(r.status()):
	case r.chunked():
		ops = r.appendChunks(ops)
	default:
		for _, p := range r.Parts {
			ops = append(ops, Op{Wait: p.Wait, Data: p.Data})
		}
	}
	ops[len(ops)-1].End = r.End
	return WireScript{Ops: ops, Meta: meta}
}

// messages lays out an answer that is not HTTP.
func (r Response) messages() []Op {
	ops := make([]Op, 0, len(r.Parts)+2)
	if len(r.Opening) > 0 {
		ops = append(ops, Op{Data: r.Opening})
	}
	wait := r.Wait
	for _, p := range r.Parts {
		ops = append(ops, Op{Wait: wait + p.Wait, Data: p.Data})
		wait = 0
	}
	if wait > 0 || len(ops) == 0 {
		ops = append(ops, Op{Wait: wait})
	}
	ops[len(ops)-1].End = r.End
	return ops
}

// appendChunks frames every part as two chunks, one for each side of its [middle],
// in one operation, which has its Cut between them if the part is a delta, or if the
// stream has none. A network cuts a stream anywhere; a client that takes what it
// reads at a time for a whole event would else never meet a cut. A part of one byte,
// and each part of an answer that is Whole, is one chunk; a part without bytes keeps
// its wait and sends nothing, because an empty chunk is the last one.
func (r Response) appendChunks(ops []Op) []Op {
	framed := make([]byte, 0, r.size()+2*frameMax*len(r.Parts))
	deltas := r.Count(PartChunk) > 0
	for _, p := range r.Parts {
		op := Op{Wait: p.Wait}
		if len(p.Data) > 0 {
			start := len(framed)
			if at := middle(p.Data); at > 0 && !r.Whole {
				framed = appendChunk(framed, p.Data[:at])
				if p.Kind == PartChunk || !deltas {
					op.Cut = len(framed) - start
				}
				framed = appendChunk(framed, p.Data[at:])
			} else {
				framed = appendChunk(framed, p.Data)
			}
			op.Data = framed[start:len(framed):len(framed)]
		}
		ops = append(ops, op)
	}
	if r.End == EndNone {
		ops = append(ops, Op{Data: r.lastChunk()})
	}
	return ops
}

// middle is where a part of a stream is cut: behind the first byte of its last
// character that has several, else in the middle. 0 is for one of a byte or none.
func middle(data []byte) int {
	for i := len(data) - 1; i > 0; i-- {
		if !utf8.RuneStart(data[i]) && utf8.RuneStart(data[i-1]) && data[i-1] >= utf8.RuneSelf {
			return i
		}
	}
	return len(data) / 2
}

// lastChunk ends a stream: an empty chunk, then the trailer.
func (r Response) lastChunk() []byte {
	b := []byte("0\r\n")
	for _, f := range r.Trailer {
		b = appendField(b, f.Name, f.Value)
	}
	return append(b, "\r\n"...)
}

func (r Response) chunked() bool { return r.Stream || len(r.Trailer) > 0 }

// frameMax is how long the framing of a chunk is, below 4 GiB.
const frameMax = 12

func appendChunk(b, data []byte) []byte {
	b = strconv.AppendInt(b, int64(len(data)), 16)
	b = append(b, "\r\n"...)
	b = append(b, data...)
	return append(b, "\r\n"...)
}

func (r Response) head() []byte {
	status := r.status()
	reason := r.Reason
	if reason == "" {
		reason = http.StatusText(status)
	}
	b := make([]byte, 0, 256)
	b = appendStatus(append(b, "HTTP/1.1 "...), status)
	b = append(append(b, ' '), oneLine.Replace(reason)...)
	b = append(b, "\r\n"...)
	for _, f := range r.Header {
		if !framing(f.Name) {
			b = appendField(b, f.Name, f.Value)
		}
	}
	switch {
	case !contentAllowed(status):
	case r.chunked():
		b = appendField(b, "Transfer-Encoding", "chunked")
		if len(r.Trailer) > 0 {
			b = appendField(b, "Trailer", trailerNames(r.Trailer))
		}
	default:
		b = appendField(b, "Content-Length", strconv.Itoa(r.announced()))
	}
	return append(b, "\r\n"...)
}

// appendStatus appends a status code, which has three digits at least.
func appendStatus(b []byte, status int) []byte {
	if status < 100 {
		return fmt.Appendf(b, "%03d", status)
	}
	return strconv.AppendInt(b, int64(status), 10)
}

// announced is the Content-Length. A cut that remembers no length announces one
// byte more than is sent: enough to be seen.
func (r Response) announced() int {
	switch {
	case r.Length != 0:
		return r.Length
	case r.End != EndNone:
		return r.size() + 1
	default:
		return r.size()
	}
}

func (r Response) status() int {
	if r.Status == 0 {
		return http.StatusOK
	}
	return r.Status
}

// oneLine keeps a value with line breaks from becoming fields of its own.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

func appendField(b []byte, name, value string) []byte {
	b = append(b, oneLine.Replace(name)...)
	b = append(b, ": "...)
	b = append(b, oneLine.Replace(value)...)
	return append(b, "\r\n"...)
}

// trailerNames announces a trailer, each name once.
func trailerNames(fields []Field) string {
	var names []string
	for _, f := range fields {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

func framing(name string) bool {
	return strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Transfer-Encoding") || strings.EqualFold(name, "Trailer")
}

// contentAllowed follows RFC 9110 §6.4.1.
func contentAllowed(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}
