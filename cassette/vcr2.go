package cassette

import (
	"cmp"
	"net/http"
	"net/url"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"gopkg.in/yaml.v3"
)

// itemV2 is one interaction of format version 2, which go-vcr v3 and v4 write.
// Lengths are written and never trusted.
type itemV2 struct {
	ID      int `yaml:"id"`
	Request struct {
		Proto         string      `yaml:"proto"`
		Major         int         `yaml:"proto_major"`
		Minor         int         `yaml:"proto_minor"`
		ContentLength int64       `yaml:"content_length"`
		Host          string      `yaml:"host"`
		Body          string      `yaml:"body"`
		Form          url.Values  `yaml:"form,omitempty"`
		Headers       http.Header `yaml:"headers"`
		URL           string      `yaml:"url"`
		Method        string      `yaml:"method"`
	} `yaml:"request"`
	Response struct {
		Proto         string        `yaml:"proto"`
		Major         int           `yaml:"proto_major"`
		Minor         int           `yaml:"proto_minor"`
		Trailer       http.Header   `yaml:"trailer,omitempty"`
		ContentLength int64         `yaml:"content_length"`
		Body          string        `yaml:"body"`
		Headers       http.Header   `yaml:"headers"`
		Status        string        `yaml:"status"`
		Code          int           `yaml:"code"`
		Duration      time.Duration `yaml:"duration"`
	} `yaml:"response"`
}

var layoutV2 = layout{
	format:   "go-vcr 2",
	item:     []string{"id", "request", "response"},
	request:  layoutV1.request,
	response: layoutV1.response,
	optional: []string{
		"form", "headers", "duration", "proto", "proto_major", "proto_minor", "content_length", "transfer_encoding",
		"trailer", "host", "remote_addr", "request_uri", "uncompressed",
	},
	decode: func(n *yaml.Node) (*Interaction, error) {
		var item itemV2
		if err := n.Decode(&item); err != nil {
			return nil, err
		}
		return item.interaction(), nil
	},
}

func (v *itemV2) interaction() *Interaction {
	it := &Interaction{
		Method:        v.Request.Method,
		URL:           v.Request.URL,
		RequestHeader: httptext.CanonicalHeader(v.Request.Headers),
		RequestBody:   []byte(v.Request.Body),
		Form:          v.Request.Form,
		Duration:      v.Response.Duration,
		Protocol:      v.Response.Proto,
	}
	it.SetAnswer(v.Response.Code, v.Response.Status, v.Response.Headers, v.Response.Body)
	it.Response.Trailer = httptext.ReplayFields(v.Response.Trailer, nil)
	return it
}

// toV2 is the reverse of itemV2.interaction. Lengths are those of the bodies.
func toV2(it *Interaction, id int) itemV2 {
	v1 := toV1(it)
	out := itemV2{ID: id}
	q, s := &out.Request, &out.Response
	q.Proto, q.Major, q.Minor = "HTTP/1.1", 1, 1
	q.ContentLength, q.Body, q.Form = int64(len(v1.Request.Body)), v1.Request.Body, v1.Request.Form
	q.Headers, q.URL, q.Method = v1.Request.Headers, v1.Request.URL, v1.Request.Method
	s.Proto = cmp.Or(it.Protocol, "HTTP/1.1")
	s.Major, s.Minor, _ = http.ParseHTTPVersion(s.Proto)
	s.Trailer = httptext.Header(it.Response.Trailer)
	s.ContentLength, s.Body, s.Headers = int64(len(v1.Response.Body)), v1.Response.Body, v1.Response.Headers
	s.Status, s.Code, s.Duration = v1.Response.Status, v1.Response.Code, v1.Response.Duration
	return out
}
