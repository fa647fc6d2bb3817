package otlp

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// bodyMost bounds a request, packed and unpacked.
const bodyMost = 64 << 20

// The media types of the protocol.
const (
	binary = "application/x-protobuf"
	asJSON = "application/json"
)

// A refusal is why a request is not taken, with the status that says so.
type refusal struct {
	status int
	error
}

func refuse(status int, format string, args ...any) error {
	return refusal{status, fmt.Errorf(format, args...)}
}

// ServeHTTP receives what exporters send to /v1/traces, /v1/metrics and /v1/logs,
// as the specification of OTLP/HTTP has it: protobuf or JSON, as it is or packed
// by gzip. A request is kept whole or not at all.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	err := s.receive(kind, w, r)
	if kind != asJSON {
		kind = binary
	}
	w.Header().Set("Content-Type", kind)
	if err == nil {
		if kind == asJSON {
			_, _ = io.WriteString(w, "{}")
		}
		s.changed()
		return
	}
	status := http.StatusBadRequest
	var refused refusal
	if errors.As(err, &refused) {
		status = refused.status
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	w.WriteHeader(status)
	_, _ = w.Write(statusMessage(kind, err.Error()))
}

func (s *Store) receive(kind string, w http.ResponseWriter, r *http.Request) error {
	var into proto.Message
	switch r.URL.Path {
	case "/v1/traces":
		into = &tracepb.TracesData{}
	case "/v1/metrics":
		into = &metricspb.MetricsData{}
	case "/v1/logs":
		into = &logspb.LogsData{}
	default:
		return refuse(http.StatusNotFound, "nothing is received at %s: traces go to /v1/traces, metrics to /v1/metrics, logs to /v1/logs", r.URL.Path)
	}
	if r.Method != http.MethodPost {
		return refuse(http.StatusMethodNotAllowed, "%s is no way to export: POST is", r.Method)
	}
	if kind != binary && kind != asJSON {
		return refuse(http.StatusUnsupportedMediaType, "the media type %q is not OTLP over HTTP: %s and %s are", kind, binary, asJSON)
	}
	body, err := unpacked(w, r)
	if err != nil {
		return err
	}
	if kind == asJSON {
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(body, into)
	} else {
		err = proto.Unmarshal(body, into)
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "the request cannot be read: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := into.(type) {
	case *tracepb.TracesData:
		s.addTraces(m)
	case *metricspb.MetricsData:
		s.addMetrics(m)
	case *logspb.LogsData:
		s.addLogs(m)
	}
	return nil
}

// unpacked is the body of a request.
func unpacked(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	var from io.Reader = http.MaxBytesReader(w, r.Body, bodyMost)
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
	case "gzip":
		packed, err := gzip.NewReader(from)
		if err != nil {
			return nil, unreadable(err)
		}
		from = packed
	default:
		return nil, refuse(http.StatusUnsupportedMediaType, "the encoding %q is not known: gzip is", encoding)
	}
	body, err := io.ReadAll(io.LimitReader(from, bodyMost+1))
	if err != nil {
		return nil, unreadable(err)
	}
	if len(body) > bodyMost {
		return nil, unreadable(&http.MaxBytesError{Limit: bodyMost})
	}
	return body, nil
}

func unreadable(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return refuse(http.StatusRequestEntityTooLarge, "the request has more than %d bytes", tooLarge.Limit)
	}
	return refuse(http.StatusBadRequest, "the request cannot be read: %w", err)
}

// statusMessage is a google.rpc.Status, whose second field is the message.
func statusMessage(kind, message string) []byte {
	message = strings.ToValidUTF8(message, "\uFFFD")
	if kind == asJSON {
		text, _ := json.Marshal(map[string]string{"message": message}) // strings always can
		return text
	}
	return protowire.AppendString(protowire.AppendTag(nil, 2, protowire.BytesType), message)
}

// identifier is that of a trace or a span, in lower-case hexadecimal, "" where
// all of it is zero. In JSON the protocol writes it in hexadecimal, where others
// have base64: the digits, taken for base64, are what is given here.
func identifier(id []byte) string {
	text := hex.EncodeToString(id)
	if len(id) == 24 || len(id) == 12 {
		if digits := strings.ToLower(base64.StdEncoding.EncodeToString(id)); isHex(digits) {
			text = digits
		}
	}
	if strings.Trim(text, "0") == "" {
		return ""
	}
	return text
}

func isHex(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil
}
