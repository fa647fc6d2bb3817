package wire

import "bytes"

// CutBytes returns the answer cut after n bytes of its body, ended by end. With
// EndNone the rest never existed and the framing is valid; with any other end
// the rest was announced and did not come. A body of n bytes or fewer is whole
// and only gets the end; a negative n is 0. The result shares memory with r.
func (r Response) CutBytes(n int, end End) Response {
	left := max(n, 0)
	var kept []Part
	for _, p := range r.Parts {
		if left == 0 {
			break
		}
		if len(p.Data) > left {
			p.Data = p.Data[:left:left]
		}
		left -= len(p.Data)
		kept = append(kept, p)
	}
	return r.cut(kept, end)
}

// CutChunks is like CutBytes but cuts directly after the nth content chunk
// ([PartChunk]); after 0 is directly after the head. Everything is kept,
// the vendor's end marker too, if there are fewer; Count tells.
func (r Response) CutChunks(n int, end End) Response {
	return r.cutAfter(n, end, func(p Part) bool { return p.Kind == PartChunk })
}

// CutEvents is like CutChunks but counts every part, whatever it carries.
func (r Response) CutEvents(n int, end End) Response {
	return r.cutAfter(n, end, func(Part) bool { return true })
}

func (r Response) cutAfter(n int, end End, counts func(Part) bool) Response {
	kept := 0
	for n > 0 && kept < len(r.Parts) {
		if counts(r.Parts[kept]) {
			n--
		}
		kept++
	}
	return r.cut(r.Parts[:kept:kept], end)
}

func (r Response) cut(kept []Part, end End) Response {
	whole := r.size()
	r.Parts, r.End = kept, end
	switch {
	case end == EndNone:
		r.Length = 0
	case r.Length == 0 && r.size() < whole:
		r.Length = whole
	}
	return r
}

// Raw is a script that sends data as it is, framed or not, and ends with end.
func Raw(data []byte, end End) WireScript {
	return WireScript{Ops: []Op{{Data: data, End: end}}}
}

// Cut returns the script cut after n of the bytes it sends, status line and
// framing included, ended by end. A script that sends n bytes or fewer only
// gets the end after its last byte; a negative n is 0.
func (s WireScript) Cut(n int, end End) WireScript {
	left := max(n, 0)
	var kept []Op
	for _, op := range s.Ops {
		if len(op.Data) > left {
			op.Data = op.Data[:left:left]
		}
		left -= len(op.Data)
		kept = append(kept, op)
		if left == 0 {
			break
		}
	}
	if len(kept) > 0 {
		kept[len(kept)-1].End = end
	} else {
		kept = []Op{{End: end}}
	}
	s.Ops = kept
	return s
}

// Bytes returns everything the script sends, up to its first end.
func (s WireScript) Bytes() []byte {
	var b bytes.Buffer
	for _, op := range s.Ops {
		b.Write(op.Data)
		if op.End != EndNone {
			break
		}
	}
	return b.Bytes()
}
