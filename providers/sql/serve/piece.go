package serve

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A piece is what a script sends at one time: a whole message, or bytes that
// are none, and possibly the end of the connection.
type piece struct {
	wait time.Duration
	// kind is the type of the message, 0 for bytes that are none.
	kind byte
	data []byte
	end  wire.End
	op   int // of the script
}

// kinds are the types of the messages of a server.
const kinds = "123ACcDdEGHIKNnRSsTtVvWZ"

// messageMax is more than any message of a script has.
const messageMax = 1 << 30

// pieces takes a script apart. From the first bytes on that are no message,
// nothing is taken for one.
func pieces(ops []wire.Op) []piece {
	var list []piece
	raw := false
	for i, op := range ops {
		wait, data := op.Wait, op.Data
		for {
			size := 0
			if !raw {
				size = messageSize(data)
			}
			if size == 0 {
				break
			}
			list = append(list, piece{wait: wait, kind: data[0], data: data[:size], op: i})
			wait, data = 0, data[size:]
		}
		switch {
		case len(data) > 0:
			raw = true
			list = append(list, piece{wait: wait, data: data, end: op.End, op: i})
		case op.End != wire.EndNone || wait > 0:
			list = append(list, piece{wait: wait, end: op.End, op: i})
		}
	}
	return list
}

// messageSize is the size of the message that data begins with, 0 for none.
func messageSize(data []byte) int {
	if len(data) < 5 || strings.IndexByte(kinds, data[0]) < 0 {
		return 0
	}
	size := int64(binary.BigEndian.Uint32(data[1:])) + 1
	if size < 5 || size > messageMax || size > int64(len(data)) {
		return 0
	}
	return int(size)
}

// opening splits off what the server says before it is asked: all up to its
// being ready. It is nil for a script that opens no session.
func opening(list []piece) (open, rest []piece) {
	if len(list) == 0 || list[0].kind != 'R' {
		return nil, list
	}
	for i, p := range list {
		if p.kind == 'Z' {
			return list[:i+1], list[i+1:]
		}
	}
	return nil, list
}

// delayed are pieces that come so much later.
func delayed(list []piece, by time.Duration) []piece {
	if len(list) == 0 {
		return []piece{{wait: by}}
	}
	list = slices.Clone(list)
	list[0].wait += by
	return list
}

// ops are pieces as a script that sends them one after the other, in the
// operations in which they are.
func ops(list []piece) []wire.Op {
	var out []wire.Op
	last := -1
	for _, p := range list {
		if p.op == last && p.wait == 0 {
			o := &out[len(out)-1]
			o.Data = append(o.Data[:len(o.Data):len(o.Data)], p.data...)
			o.End = p.end
			continue
		}
		out = append(out, wire.Op{Wait: p.wait, Data: p.data, End: p.end})
		last = p.op
	}
	return out
}
