package wire

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func op(wait time.Duration, data string, end End) Op {
	if data == "" {
		return Op{Wait: wait, End: end}
	}
	return Op{Wait: wait, Data: []byte(data), End: end}
}

func apart(cut int, op Op) Op {
	op.Cut = cut
	return op
}

// Shows the bytes of every kind of answer, of streams of events the two chunks of each part (RFC 9112 §6, §7.1), that waits stay
// with their part, and that an answer cut short can be told from a whole one.
func TestScript(t *testing.T) {
	a, b := Part{Wait: 1, Data: []byte("hello")}, Part{Wait: 2, Data: []byte("world, again")}
	for _, c := range []struct {
		name string
		r    Response
		want []Op
	}{
		{"zero", Response{}, []Op{op(0, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", EndNone)}},
		{"parts are joined", Response{Status: 404, Wait: 9, Parts: []Part{a, b}}, []Op{
			op(9, "HTTP/1.1 404 Not Found\r\nContent-Length: 17\r\n\r\n", EndNone),
			op(1, "hello", EndNone), op(2, "world, again", EndNone),
		}},
		{"a stream of bytes", Response{Stream: true, Whole: true, Parts: []Part{a, {Wait: 5}, b}}, []Op{
			op(0, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", EndNone),
			op(1, "5\r\nhello\r\n", EndNone), op(5, "", EndNone), op(2, "c\r\nworld, again\r\n", EndNone),
			op(0, "0\r\n\r\n", EndNone),
		}},
		{"a stream cut", Response{Stream: true, Whole: true, Parts: []Part{a}, End: EndRST}, []Op{
			op(0, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", EndNone),
			op(1, "5\r\nhello\r\n", EndRST),
		}},
		{"a stream of events", Response{Stream: true, Parts: []Part{a, {Wait: 5}}}, []Op{
			op(0, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", EndNone),
			apart(7, op(1, "2\r\nhe\r\n3\r\nllo\r\n", EndNone)), op(5, "", EndNone), op(0, "0\r\n\r\n", EndNone),
		}},
		{"a stream with deltas", Response{Stream: true, Parts: []Part{
			{Data: []byte("role"), Kind: PartEvent}, {Data: []byte("{\"a – b ü\"}"), Kind: PartChunk}, {Data: []byte("."), Kind: PartChunk},
		}}, []Op{
			op(0, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", EndNone),
			op(0, "2\r\nro\r\n2\r\nle\r\n", EndNone),
			apart(16, op(0, "b\r\n{\"a – b \xc3\r\n3\r\n\xbc\"}\r\n", EndNone)),
			op(0, "1\r\n.\r\n", EndNone), op(0, "0\r\n\r\n", EndNone),
		}},
		{"a cut promises more", Response{Parts: []Part{a}, End: EndFIN}, []Op{
			op(0, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n", EndNone), op(1, "hello", EndFIN),
		}},
		{"a length of its own", Response{Parts: []Part{a}, Length: 3}, []Op{
			op(0, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", EndNone), op(1, "hello", EndNone),
		}},
		{"no content, cut", Response{Status: 204, Parts: []Part{a}, End: EndFIN}, []Op{
			op(0, "HTTP/1.1 204 No Content\r\n\r\n", EndFIN),
		}},
		{"fields in order, framing ignored", Response{
			Status: 529, Header: []Field{{"x-b", "1"}, {"content-length", "9"}, {"X-A", "2"}, {"TRANSFER-ENCODING", "gzip"}, {"x-b", "3"}},
		}, []Op{op(0, "HTTP/1.1 529 \r\nx-b: 1\r\nX-A: 2\r\nx-b: 3\r\nContent-Length: 0\r\n\r\n", EndNone)}},
		{"no field smuggles another", Response{Reason: "a\r\nX: 1", Header: []Field{{"X\n", "a\r\nY: 2"}}}, []Op{
			op(0, "HTTP/1.1 200 a  X: 1\r\nX : a  Y: 2\r\nContent-Length: 0\r\n\r\n", EndNone),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			meta := Meta{Step: "s", Entry: 2}
			if diff := cmp.Diff(WireScript{Ops: c.want, Meta: meta}, c.r.Script(meta)); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

// Shows what each cut keeps of a role, three chunks and an end marker of
// 12+11+11+13+14 bytes, and that a visible cut still announces everything.
func TestCuts(t *testing.T) {
	plain := sse
	plain.Stream = false
	for _, c := range []struct {
		name   string
		got    Response
		parts  int
		bytes  int
		length int
	}{
		{"no chunk", sse.CutChunks(0, EndRST), 0, 0, 61},
		{"one chunk", sse.CutChunks(1, EndRST), 2, 23, 61},
		{"all chunks", sse.CutChunks(3, EndRST), 4, 47, 61},
		{"more chunks than there are", sse.CutChunks(4, EndRST), 5, 61, 0},
		{"clean", plain.CutChunks(1, EndNone), 2, 23, 0},
		{"two events", sse.CutEvents(2, EndFIN), 2, 23, 61},
		{"no byte", plain.CutBytes(0, EndFIN), 0, 0, 61},
		{"negative", plain.CutBytes(-1, EndFIN), 0, 0, 61},
		{"within a part", plain.CutBytes(15, EndFIN), 2, 15, 61},
		{"between parts", plain.CutBytes(12, EndFIN), 1, 12, 61},
		{"bytes, clean", plain.CutBytes(15, EndNone), 2, 15, 0},
		{"all bytes", plain.CutBytes(61, EndFIN), 5, 61, 0},
		{"a cut of a cut", plain.CutBytes(30, EndFIN).CutBytes(3, EndRST), 1, 3, 61},
	} {
		if len(c.got.Parts) != c.parts || len(c.got.Body()) != c.bytes || c.got.Length != c.length {
			t.Errorf("%s: kept %d parts, %d bytes, announced %d; want %d, %d, %d",
				c.name, len(c.got.Parts), len(c.got.Body()), c.got.Length, c.parts, c.bytes, c.length)
		}
	}
	if n := sse.Count(PartChunk); n != 3 || string(sse.Body()) != "data: role\n\ndata: one\n\ndata: two\n\ndata: three\n\ndata: [DONE]\n\n" {
		t.Errorf("the cuts changed what they cut: %d chunks, %q", n, sse.Body())
	}
}

// Shows that a script is cut at a byte of the wire, framing included.
func TestWireScriptCut(t *testing.T) {
	s := WireScript{Ops: []Op{op(1, "head", EndNone), op(2, "body", EndNone)}}
	for n, want := range map[int][]Op{
		-1: {op(1, "", EndRST)},
		0:  {op(1, "", EndRST)},
		3:  {op(1, "hea", EndRST)},
		4:  {op(1, "head", EndRST)},
		5:  {op(1, "head", EndNone), op(2, "b", EndRST)},
		99: {op(1, "head", EndNone), op(2, "body", EndRST)},
	} {
		got := s.Cut(n, EndRST)
		if len(got.Ops) > 0 && len(got.Ops[0].Data) == 0 {
			got.Ops[0].Data = nil
		}
		if diff := cmp.Diff(want, got.Ops); diff != "" {
			t.Errorf("after %d: want (-), got (+):\n%s", n, diff)
		}
	}
	if got := (WireScript{}).Cut(3, EndHang); len(got.Ops) != 1 || got.Ops[0].End != EndHang {
		t.Errorf("the zero script cut to hang is %v", got.Ops)
	}
	if got := string(s.Cut(6, EndFIN).Bytes()); got != "headbo" {
		t.Errorf("sends %q, want headbo", got)
	}
}

// Shows that a clone shares no memory with its original.
func TestClone(t *testing.T) {
	r := Response{Header: []Field{{"A", "1"}}, Parts: []Part{{Data: []byte("x")}}}
	c := r.Clone()
	c.Header[0].Value, c.Parts[0].Data[0], c.Parts[0].Kind = "2", 'y', PartDone
	want := Response{Header: []Field{{"A", "1"}}, Parts: []Part{{Data: []byte("x")}}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("the original changed:\n%s", diff)
	}
	if diff := cmp.Diff(Response{}, Response{}.Clone()); diff != "" {
		t.Errorf("a clone of nothing is something:\n%s", diff)
	}
}
