package cassette

import (
	"net/http"
	"net/url"
	"time"

	"gopkg.in/yaml.v3"
)

// itemV2 is one interaction of format version 2, which go-vcr v3 and v4 write.
// Lengths are recomputed and never trusted.
type itemV2 struct {
	Request struct {
		Body    string      `yaml:"body"`
		Form    url.Values  `yaml:"form"`
		Headers http.Header `yaml:"headers"`
		URL     string      `yaml:"url"`
		Method  string      `yaml:"method"`
	} `yaml:"request"`
	Response struct {
		Proto    string        `yaml:"proto"`
		Body     string        `yaml:"body"`
		Headers  http.Header   `yaml:"headers"`
		Status   string        `yaml:"status"`
		Code     int           `yaml:"code"`
		Duration time.Duration `yaml:"duration"`
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
		RequestHeader: canonical(v.Request.Headers),
		RequestBody:   []byte(v.Request.Body),
		Form:          v.Request.Form,
		Duration:      v.Response.Duration,
		Protocol:      v.Response.Proto,
	}
	it.answer(v.Response.Code, v.Response.Status, v.Response.Headers, v.Response.Body)
	return it
}
