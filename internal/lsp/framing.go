package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// maxMessage bounds one message of the client: a file of the greatest size,
// escaped, is far below it.
const maxMessage = 64 << 20

// maxHeader bounds the lines before a message.
const maxHeader = 4 << 10

// A framing is a channel of messages with a header as the protocol has it. It
// differs from the library's own in that it believes no length: that of a
// broken client must not end the process.
type framing struct {
	in  *bufio.Reader
	out io.Writer
	end io.Closer
	// polite is set when the client asks for the shutdown. Messages come here
	// in their order; handlers of a request and of the exit behind it, or of
	// the end of the input, run at once.
	polite atomic.Bool
	// sending is held while a message is written; nothing is after silenced.
	sending  sync.Mutex
	silenced bool
}

func newFraming(in io.Reader, out io.Writer) *framing {
	f := &framing{in: bufio.NewReaderSize(in, maxHeader), out: out}
	f.end, _ = in.(io.Closer)
	return f
}

// Send implements channel.Channel.
func (f *framing) Send(message []byte) error {
	f.sending.Lock()
	defer f.sending.Unlock()
	if f.silenced {
		return io.ErrClosedPipe
	}
	framed := make([]byte, 0, len(message)+32)
	framed = fmt.Appendf(framed, "Content-Length: %d\r\n\r\n", len(message))
	_, err := f.out.Write(append(framed, message...))
	return err
}

// silence ends what is said: the writer is its owner's again. It waits for the
// message under way.
func (f *framing) silence() {
	f.sending.Lock()
	defer f.sending.Unlock()
	f.silenced = true
}

// Recv implements channel.Channel.
func (f *framing) Recv() ([]byte, error) {
	length := -1
	for {
		line, err := f.in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		name, value, isField := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		if !isField && name == "" {
			break
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return nil, fmt.Errorf("the header of a message gives its length as %q", strings.TrimSpace(value))
			}
		}
	}
	switch {
	case length < 0:
		return nil, errors.New("a message has no Content-Length")
	case length > maxMessage:
		return nil, fmt.Errorf("a message of %d bytes is longer than the %d that are read", length, maxMessage)
	}
	message := make([]byte, length)
	if _, err := io.ReadFull(f.in, message); err != nil {
		return nil, err
	}
	if length < maxHeader && bytes.Contains(message, []byte(`"shutdown"`)) {
		var m struct{ Method string }
		if json.Unmarshal(message, &m) == nil && m.Method == "shutdown" {
			f.polite.Store(true)
		}
	}
	return message, nil
}

// Close implements channel.Channel. It ends a read that waits for the client.
func (f *framing) Close() error {
	if f.end == nil {
		return nil
	}
	return f.end.Close()
}
