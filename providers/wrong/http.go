package wrong

import (
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// ofHTTP is what a body says, with the head of the answer as it is.
func ofHTTP(v schema.Values, way Way, out *providers.Output) error {
	if out.StatusCode != 0 && out.StatusCode != http.StatusOK {
		v["status_code"] = out.StatusCode
	}
	isJSON := providers.IsJSON(providers.MediaType(out.Headers))
	headers := headersOf(out.Headers, isJSON)
	var err error
	if out.Chunks != nil {
		err = ofStream(v, way, out.Chunks)
	} else {
		err = ofBody(v, headers, isJSON, way, out.Body)
	}
	if len(headers) > 0 {
		v["headers"] = headers
	}
	return err
}

// ofBody is what a body in one piece says. One that says null is announced in headers.
func ofBody(v schema.Values, headers map[string]string, isJSON bool, way Way, body []byte) error {
	value, structured := decoded(body)
	structured = structured || isJSON
	if !structured {
		value = string(body)
	}
	if list, ok := value.([]any); ok && len(list) > 0 && way != Retyped {
		return errList
	}
	switch way {
	case Empty:
		value = emptied(value)
	case Half:
		var ok bool
		if value, ok = halved(value); !ok {
			return errNoHalf
		}
	case Retyped:
		if !structured && len(body) == 0 {
			return errNoType
		}
		value, structured = retyped(value), true
	}
	switch text, isText := value.(string); {
	case isText && !structured:
		v["body"] = text
	case value == nil: // an attribute that is null is not given
		v["body"], headers["Content-Type"] = "null", "application/json"
	default:
		v["json"] = value
	}
	return nil
}

// headersOf are the fields of an answer that its reply has to give. Those of a body of
// JSON it gives itself.
func headersOf(h http.Header, isJSON bool) map[string]string {
	given := map[string]string{}
	for name := range h {
		if name == "Content-Length" || name == "Content-Type" && isJSON && h.Get(name) == "application/json" {
			continue
		}
		given[name] = h.Get(name)
	}
	return given
}

// ofStream is what a stream of pieces says.
func ofStream(v schema.Values, way Way, chunks []string) error {
	switch way {
	case Empty:
		chunks = []string{}
	case Half:
		if len(chunks) < 2 {
			return errNoHalf
		}
		chunks = chunks[:len(chunks)/2]
	case Retyped:
		chunks = slices.Clone(chunks)
		for i := range chunks {
			chunks[i] = otherText(chunks[i])
		}
	}
	v["chunks"] = chunks
	return nil
}
