package sql

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/providers"
)

var _ providers.Reader = Adapter{}

var copies = pattern.New(`(?i)^copy\b.*\b(from stdin|to stdout)\b`)

// Claims reports whether a request is the envelope of a statement.
func (Adapter) Claims(r *http.Request) bool {
	return r.URL.Scheme == Scheme && strings.HasPrefix(r.Proto, protocol+"/")
}

// Read reads the statement of an envelope, and its arguments.
func (Adapter) Read(_ *http.Request, body []byte) (providers.Input, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var s Statement
	switch err := d.Decode(&s); {
	case err != nil:
		return providers.Input{}, fmt.Errorf("the body is not the envelope of a statement: %w", err)
	case strings.TrimSpace(s.Query) == "":
		return providers.Input{}, errors.New("query is empty, and must be the statement")
	}
	if copies().MatchString(plainText(s.Query)) {
		return providers.Input{}, errors.New("COPY from or to the client is not served")
	}
	return providers.Input{Statement: s.Query, Args: s.Args}, nil
}
