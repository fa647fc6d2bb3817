package cassette

import (
	"io"
	"net/http"
	"net/url"
	"time"

	"gopkg.in/yaml.v3"

	vcr "github.com/dnaeon/go-vcr/v2/cassette"
)

// writeVCR1 writes what go-vcr v1 and v2 read.
func writeVCR1(w io.Writer, c *Cassette) error {
	file := struct {
		Version      int               `yaml:"version"`
		Interactions []vcr.Interaction `yaml:"interactions"`
	}{Version: 1, Interactions: []vcr.Interaction{}}
	for _, it := range c.Interactions {
		if it.Error == "" {
			file.Interactions = append(file.Interactions, toV1(it))
		}
	}
	return writeYAML(w, file)
}

// A fileV2 is what go-vcr v3 and v4 read.
type fileV2 struct {
	Version      int         `yaml:"version"`
	Interactions []outItemV2 `yaml:"interactions"`
}

type outItemV2 struct {
	ID      int `yaml:"id"`
	Request struct {
		Proto         string      `yaml:"proto"`
		Major         int         `yaml:"proto_major"`
		Minor         int         `yaml:"proto_minor"`
		ContentLength int         `yaml:"content_length"`
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
		ContentLength int           `yaml:"content_length"`
		Body          string        `yaml:"body"`
		Headers       http.Header   `yaml:"headers"`
		Status        string        `yaml:"status"`
		Code          int           `yaml:"code"`
		Duration      time.Duration `yaml:"duration"`
	} `yaml:"response"`
}

func writeVCR2(w io.Writer, c *Cassette) error {
	file := fileV2{Version: 2, Interactions: []outItemV2{}}
	for _, it := range c.Interactions {
		if it.Error == "" {
			file.Interactions = append(file.Interactions, toV2(it, len(file.Interactions)))
		}
	}
	return writeYAML(w, file)
}

// toV2 is the reverse of itemV2.interaction. Lengths are those of the bodies.
func toV2(it *Interaction, id int) outItemV2 {
	v1 := toV1(it)
	out := outItemV2{ID: id}
	q, s := &out.Request, &out.Response
	q.Proto, q.Major, q.Minor = "HTTP/1.1", 1, 1
	q.ContentLength, q.Body, q.Form = len(v1.Request.Body), v1.Request.Body, v1.Request.Form
	q.Headers, q.URL, q.Method = v1.Request.Headers, v1.Request.URL, v1.Request.Method
	s.Proto = it.Protocol
	if s.Proto == "" {
		s.Proto = "HTTP/1.1"
	}
	s.Major, s.Minor, _ = http.ParseHTTPVersion(s.Proto)
	s.Trailer = header(it.Response.Trailer)
	s.ContentLength, s.Body, s.Headers = len(v1.Response.Body), v1.Response.Body, v1.Response.Headers
	s.Status, s.Code, s.Duration = v1.Response.Status, v1.Response.Code, v1.Response.Duration
	return out
}

func writeYAML(w io.Writer, file any) error {
	data, err := yaml.Marshal(file)
	if err != nil {
		return err
	}
	_, err = w.Write(append([]byte("---\n"), data...))
	return err
}
