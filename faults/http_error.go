package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const httpErrorName = "http_error"

var httpError = &Kind{
	Name:       httpErrorName,
	AlsoCalled: []string{"500", "503", "429", "status", "rate_limit", "server_error"},
	Summary:    "An HTTP answer with this status, headers and body; without a body, in the provider's own error format.",
	For:        overHTTP,
	Groups:     []Group{GroupRateLimit, GroupServer, GroupClient},
	group:      groupOfStatus,
	Attrs: []schema.Attr{
		{Name: "status_code", Type: schema.Int, Default: "500", Min: 200, HasMin: true, Max: 599, HasMax: true, Doc: "The status of the answer. 429 is observed as `rate_limit`, 529 as `overloaded`, any other as `http_status`."},
		{Name: "headers", Type: schema.StringMap, Doc: "Header fields, such as `{ Retry-After = \"30\" }`; they win over those of the provider's error shape."},
		{Name: "body", Type: schema.String, Doc: "The body as it is sent."},
		{Name: "json", Type: schema.Any, Doc: "A value that is sent as JSON, in place of `body`."},
	},
	Answerless: answerless,
	// A step may expect a status of 400 and above, and read it.
	Fails: func(args schema.Values) bool {
		status, given := args["status_code"].(int)
		return given && status < 400
	},
	Tried:   tryHTTPError,
	Told:    tellHTTPError,
	Example: "status_code = 429\nheaders = { \"Retry-After\" = \"30\" }",
	Script:  strikeHTTPError,
}

// tryHTTPError tries one status of each class that clients and taxonomies tell apart,
// those of the file, and 429 with each wait.
func tryHTTPError(f Figures) []Trial {
	var list []Trial
	statuses := append([]int{503, 500, 401, 402, 400, 404, 408, 529}, f.Statuses...)
	for i, n := range statuses {
		if n == http.StatusTooManyRequests || slices.Contains(statuses[:i], n) {
			continue
		}
		t := Trial{Args: schema.Values{"status_code": n}}
		if n == http.StatusServiceUnavailable {
			t.Rank, t.Lasts = 3, true
		}
		list = append(list, t)
	}
	for _, seconds := range f.RetryAfters {
		list = append(list, Trial{Rank: 4, Args: schema.Values{
			"status_code": http.StatusTooManyRequests, "headers": map[string]string{"Retry-After": strconv.Itoa(seconds)},
		}})
	}
	return append(list, Trial{Rank: 4, Args: schema.Values{"status_code": http.StatusTooManyRequests}})
}

// tellHTTPError calls the fault by its status.
func tellHTTPError(args schema.Values) string {
	text := fmt.Sprint(args["status_code"])
	if headers, ok := args["headers"].(map[string]string); ok && headers["Retry-After"] != "" {
		text += " with Retry-After " + headers["Retry-After"]
	}
	return text
}

// strikeHTTPError answers with an error status.
func strikeHTTPError(s Strike) (wire.WireScript, error) {
	status := s.number("status_code", http.StatusInternalServerError)
	if status < 200 || status > 599 {
		return wire.WireScript{}, fmt.Errorf("status_code is %d: a final status is between 200 and 599", status)
	}
	resp, err := errorAnswer(s, status)
	if err != nil {
		return wire.WireScript{}, err
	}
	headers, _ := s.Args["headers"].(map[string]string)
	setHeaders(&resp, headers)
	resp.Wait = s.wait(0)
	return resp.Script(s.labelled(httpErrorName)), nil
}

func errorAnswer(s Strike, status int) (wire.Response, error) {
	if err := s.only("body", "json"); err != nil {
		return wire.Response{}, err
	}
	switch {
	case s.has("json"):
		data, err := encodeJSON(s.Args["json"])
		if err != nil {
			return wire.Response{}, fmt.Errorf("json cannot be written as JSON: %w", err)
		}
		return answer(status, "application/json", data), nil
	case s.has("body"):
		body := []byte(s.text("body"))
		media := "text/plain; charset=utf-8"
		if json.Valid(body) {
			media = "application/json"
		}
		return answer(status, media, body), nil
	default:
		return s.Vendor.Error(status, "", ""), nil
	}
}

// encodeJSON sorts keys and leaves <, > and & as they are.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func answer(status int, media string, body []byte) wire.Response {
	return wire.Response{
		Status: status,
		Header: []wire.Field{{Name: "Content-Type", Value: media}},
		Parts:  []wire.Part{{Data: body}},
	}
}

// setHeaders replaces fields of the same name where they stand and appends the
// others, sorted.
func setHeaders(resp *wire.Response, headers map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		i := slices.IndexFunc(resp.Header, func(f wire.Field) bool { return strings.EqualFold(f.Name, name) })
		if i < 0 {
			resp.Header = append(resp.Header, wire.Field{Name: name, Value: headers[name]})
			continue
		}
		resp.Header[i].Value = headers[name]
	}
}

// groupOfStatus is the group of an answer with a status.
func groupOfStatus(args schema.Values) Group {
	status, _ := args["status_code"].(int)
	return GroupOfStatus(status)
}
