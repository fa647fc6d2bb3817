package providers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/scenario-lang/scenario/wire"
)

// AmazonStream is the media type of a stream in Amazon's binary encoding, in which
// Bedrock streams
// (https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html).
const AmazonStream = "application/vnd.amazon.eventstream"

// An AmazonMessage is one message of such a stream. Payload is valid until the
// next call of Next.
type AmazonMessage struct {
	// Kind is "event", "exception" or "error".
	Kind string
	// Type is the type of the event or of the exception, or the code of the error.
	Type    string
	Payload []byte
}

// ErrAmazonStream is wrapped by the errors of messages that are none: whose
// lengths do not fit, or whose sums are wrong.
var ErrAmazonStream = errors.New("the event stream is damaged")

// The sizes of a message's fixed parts: lengths and their sum, and the sum of all.
const (
	amazonPrelude = 12
	amazonSum     = 4
)

// An AmazonReader reads messages as their bytes arrive: it never asks its source
// for more while it holds a whole one. It is for one goroutine.
type AmazonReader struct {
	source io.Reader
	buffer []byte
}

// NewAmazonReader reads messages from r.
func NewAmazonReader(r io.Reader) *AmazonReader { return &AmazonReader{source: r} }

// Next returns the next message. It returns io.EOF at the end of a stream whose
// last message is whole, [ErrCutEvent] at any other end, an error that wraps
// [ErrTooLarge] beyond [EventMax] or [ErrAmazonStream], and the source's own errors
// as they are.
func (r *AmazonReader) Next() (AmazonMessage, error) {
	if err := r.fill(amazonPrelude, 0); err != nil {
		return AmazonMessage{}, err
	}
	total, headers := binary.BigEndian.Uint32(r.buffer), binary.BigEndian.Uint32(r.buffer[4:])
	switch {
	case crc32.ChecksumIEEE(r.buffer[:8]) != binary.BigEndian.Uint32(r.buffer[8:]):
		return AmazonMessage{}, fmt.Errorf("%w: the sum of a message's lengths is wrong", ErrAmazonStream)
	case total > EventMax:
		return AmazonMessage{}, fmt.Errorf("a message of the event stream has %d bytes: %w", total, ErrTooLarge)
	case int64(total) < int64(headers)+amazonPrelude+amazonSum:
		return AmazonMessage{}, fmt.Errorf("%w: the lengths of a message do not fit", ErrAmazonStream)
	}
	if err := r.fill(int(total), amazonPrelude); err != nil {
		return AmazonMessage{}, err
	}
	end := len(r.buffer) - amazonSum
	if crc32.ChecksumIEEE(r.buffer[:end]) != binary.BigEndian.Uint32(r.buffer[end:]) {
		return AmazonMessage{}, fmt.Errorf("%w: the sum of a message is wrong", ErrAmazonStream)
	}
	m := AmazonMessage{Payload: r.buffer[amazonPrelude+headers : end]}
	return m, m.read(r.buffer[amazonPrelude : amazonPrelude+headers])
}

// fill reads until the buffer has n bytes, of which it has the first few.
func (r *AmazonReader) fill(n, has int) error {
	if cap(r.buffer) < n {
		r.buffer = append(make([]byte, 0, n), r.buffer[:has]...)
	}
	r.buffer = r.buffer[:n]
	for empty := 0; has < n; {
		got, err := r.source.Read(r.buffer[has:])
		has += got
		switch {
		case has == n:
			return nil
		case err == io.EOF && has > 0:
			return ErrCutEvent
		case err != nil:
			return err
		case got == 0:
			if empty++; empty > 100 {
				return io.ErrNoProgress
			}
		}
	}
	return nil
}

// amazonSizes are the sizes of the values of header fields by their types, where
// they have one: true, false, a byte, a short, an integer, a long, then bytes and a
// string, which say theirs, an instant and a UUID.
var amazonSizes = [...]int{0, 0, 1, 2, 4, 8, -1, -1, 8, 16}

const amazonString = 7

// read reads the header, of which only strings matter.
func (m *AmazonMessage) read(header []byte) error {
	for len(header) > 0 {
		n := int(header[0])
		if len(header) < n+2 || int(header[n+1]) >= len(amazonSizes) {
			return fmt.Errorf("%w: the header of a message cannot be read", ErrAmazonStream)
		}
		name, typ := string(header[1:n+1]), header[n+1]
		header = header[n+2:]
		size := amazonSizes[typ]
		if size < 0 {
			if len(header) < 2 {
				return fmt.Errorf("%w: the header of a message is cut", ErrAmazonStream)
			}
			size, header = int(binary.BigEndian.Uint16(header)), header[2:]
		}
		if len(header) < size {
			return fmt.Errorf("%w: the header of a message is cut", ErrAmazonStream)
		}
		if typ == amazonString {
			m.field(name, string(header[:size]))
		}
		header = header[size:]
	}
	return nil
}

func (m *AmazonMessage) field(name, value string) {
	switch name {
	case ":message-type":
		m.Kind = value
	case ":event-type", ":exception-type", ":error-code":
		m.Type = value
	}
}

// AppendAmazon appends a message with a payload of JSON.
func AppendAmazon(dst []byte, kind, typ string, payload []byte) []byte {
	var header []byte
	for _, f := range [][2]string{{":" + kind + "-type", typ}, {":content-type", "application/json"}, {":message-type", kind}} {
		header = append(append(header, byte(len(f[0]))), f[0]...)
		header = binary.BigEndian.AppendUint16(append(header, amazonString), uint16(len(f[1])))
		header = append(header, f[1]...)
	}
	start := len(dst)
	dst = binary.BigEndian.AppendUint32(dst, uint32(amazonPrelude+len(header)+len(payload)+amazonSum))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(header)))
	dst = binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
	dst = append(append(dst, header...), payload...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
}

// AddAmazon adds a message of [AmazonStream].
func (e *Events) AddAmazon(kind wire.PartKind, typ string, payload []byte) {
	start := len(e.written)
	e.written = AppendAmazon(e.written, "event", typ, payload)
	e.cut(kind, start)
}
