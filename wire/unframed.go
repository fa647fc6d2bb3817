package wire

import (
	"bytes"
	"strconv"
)

// Unframed is the script without what HTTP puts around the content of an answer,
// for a transport that has none of that, such as a pipe: no head, and of a
// chunked body what is in the chunks. Its operations are as many, with the same
// waits and ends. A script that begins with no whole head is returned as it is.
func (s WireScript) Unframed() WireScript {
	h := s.head()
	if h.status == 0 {
		return s
	}
	chunked := bytes.Contains(bytes.ToLower(s.bytes(h.from, h.to)), []byte("\r\ntransfer-encoding: chunked\r\n"))
	u := unframer{chunked: chunked}
	ops := make([]Op, len(s.Ops))
	at := 0
	for i, op := range s.Ops {
		data := op.Data[min(max(h.to-at, 0), len(op.Data)):]
		at += len(op.Data)
		ops[i] = Op{Wait: op.Wait, Data: u.content(data), End: op.End}
	}
	s.Ops = ops
	return s
}

// An unframer takes the content out of chunks, in whatever pieces they come.
type unframer struct {
	chunked bool
	line    []byte // what has come of a line that tells a size
	left    int    // bytes of the chunk
	ended   bool
}

func (u *unframer) content(data []byte) []byte {
	if !u.chunked {
		return data
	}
	var out []byte
	for len(data) > 0 && !u.ended {
		if u.left > 0 {
			n := min(u.left, len(data))
			out = append(out, data[:n]...)
			data = data[n:]
			u.left -= n
			continue
		}
		u.line = append(u.line, data[0])
		data = data[1:]
		if !bytes.HasSuffix(u.line, []byte("\n")) {
			continue
		}
		text := string(bytes.TrimSpace(u.line))
		u.line = nil
		if text == "" {
			continue // behind a chunk
		}
		size, err := strconv.ParseInt(text, 16, 32)
		u.left, u.ended = int(size), err != nil || size == 0
	}
	return out
}
