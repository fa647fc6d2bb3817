package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// A sender posts requests of OTLP/HTTP in protobuf to one destination. The
// exporters of the SDK would do the same, and link gRPC for it, which makes
// every start of the command a third slower and its file eleven megabytes
// larger. It implements otlptrace.Client.
type sender struct {
	to     *destination
	client *http.Client
	after  func(time.Duration) <-chan time.Time
	agent  string
}

func newSender(to *destination, h Host) *sender {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = to.tls
	return &sender{to, &http.Client{Transport: transport, Timeout: to.timeout}, h.After, "scenario/" + h.Version}
}

// Start implements otlptrace.Client.
func (s *sender) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (s *sender) Stop(context.Context) error {
	s.client.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. On the wire TracesData is the same
// as ExportTraceServiceRequest.
func (s *sender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	return s.send(ctx, &tracepb.TracesData{ResourceSpans: spans})
}

// The waits between tries to deliver, where the receiver names none.
const (
	firstRetryWait = time.Second
	maxRetryWait   = 5 * time.Second
	// maxTries bounds them: a receiver that is always busy must not hold up a
	// suite.
	maxTries = 4
)

// send delivers one request, a few times where the receiver asks for that,
// until the context ends.
func (s *sender) send(ctx context.Context, m proto.Message) error {
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err
	}
	if s.to.compress {
		body = compressed(body)
	}
	wait := firstRetryWait
	for try := 1; ; try++ {
		again, asked, err := s.post(ctx, body)
		if err == nil || !again || try == maxTries {
			return err
		}
		select {
		case <-s.after(max(wait, asked)):
		case <-ctx.Done():
			return fmt.Errorf("%w; gave up at the deadline", err)
		}
		wait = min(2*wait, maxRetryWait)
	}
}

func compressed(body []byte) []byte {
	var b bytes.Buffer
	// A buffer takes everything.
	w := gzip.NewWriter(&b)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// post makes one try. It reports whether another one makes sense, and how long
// the receiver asks to wait for it.
func (s *sender) post(ctx context.Context, body []byte) (again bool, wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.to.url.String(), bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	req.Header.Set("User-Agent", s.agent)
	for k, v := range s.to.headers {
		req.Header.Set(k, v)
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	if s.to.compress {
		req.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := s.client.Do(req)
	if err != nil {
		var in *url.Error
		if errors.As(err, &in) {
			err = in.Err // the address is said around it
		}
		return false, 0, err
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 16)
		return true, time.Duration(seconds) * time.Second, fmt.Errorf("the receiver answers %s", resp.Status)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return false, 0, fmt.Errorf("the receiver answers %s", resp.Status)
	}
	return false, 0, partialSuccess(answer)
}

// partialSuccess is an error where a receiver took not everything. Its answer
// is { partial_success = 1 { rejected = 1, error_message = 2 } } for every
// signal.
func partialSuccess(answer []byte) error {
	var rejected uint64
	var message string
	fields(answer, func(n protowire.Number, _ uint64, inner []byte) {
		if n != 1 {
			return
		}
		fields(inner, func(n protowire.Number, v uint64, b []byte) {
			switch n {
			case 1:
				rejected = v
			case 2:
				message = string(b)
			}
		})
	})
	if rejected == 0 {
		return nil
	}
	return fmt.Errorf("the receiver refused %d of them: %q", rejected, message)
}

// fields calls f for every field of a message, until one cannot be read.
func fields(b []byte, f func(n protowire.Number, v uint64, bytes []byte)) {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return
		}
		b = b[n:]
		var v uint64
		var inner []byte
		switch kind {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			inner, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		if n < 0 {
			return
		}
		f(number, v, inner)
		b = b[n:]
	}
}
