package providers

import (
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// The messages that Amazon publishes to test implementations of the encoding
// (github.com/awslabs/aws-c-event-stream, tests: empty_message and
// payload_no_headers), and what the writer writes, read in pieces of any size.
func TestAmazonReader(t *testing.T) {
	published := "000000100000000005c248eb7d98c8ff" + "0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936"
	data, err := hex.DecodeString(published)
	if err != nil {
		t.Fatal(err)
	}
	data = AppendAmazon(data, "event", "chunk", []byte(`{"bytes":"e30="}`))
	data = AppendAmazon(data, "exception", "throttlingException", []byte(`{"message":"slow down"}`))
	type message struct{ Kind, Type, Payload string }
	want := []message{{}, {Payload: "{'foo':'bar'}"}, {"event", "chunk", `{"bytes":"e30="}`}, {"exception", "throttlingException", `{"message":"slow down"}`}}
	for name, source := range map[string]io.Reader{"whole": strings.NewReader(string(data)), "byte by byte": iotest.OneByteReader(strings.NewReader(string(data)))} {
		r := NewAmazonReader(source)
		var got []message
		for {
			m, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, message{m.Kind, m.Type, string(m.Payload)})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for n := range data {
		r := NewAmazonReader(strings.NewReader(string(data[:n])))
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if whole := n == 0 || n == 16 || n == 45 || n == len(data)-len(AppendAmazon(nil, "exception", "throttlingException", []byte(`{"message":"slow down"}`))); whole != (err == io.EOF) || !whole && !errors.Is(err, ErrCutEvent) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	for n := range data {
		changed := []byte(string(data))
		changed[n] ^= 0x40
		r := NewAmazonReader(strings.NewReader(string(changed)))
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, ErrAmazonStream) {
			t.Errorf("another byte at %d: %v", n, err)
		}
	}
}

func FuzzAmazonReader(f *testing.F) {
	f.Add(AppendAmazon(nil, "event", "chunk", []byte(`{}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewAmazonReader(strings.NewReader(string(data)))
		for {
			if _, err := r.Next(); err != nil {
				return
			}
		}
	})
}
