package catalog

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// The attributes that replies of every kind have.
var (
	costAttr       = schema.Attr{Name: "cost_usd", Type: schema.Number, Min: 0, HasMin: true, Doc: "What the answer costs, in US dollars; budgets count it."}
	latencyAttr    = schema.Attr{Name: "latency", Type: schema.Duration, Doc: "The wait before the answer begins."}
	chunkDelayAttr = schema.Attr{Name: "chunk_delay", Type: schema.Duration, Doc: "The wait before every chunk of a stream but the first."}
)

var errTwoTexts = errors.New("content and chunks both give the text: keep one")

// A reader takes evaluated attributes apart. An absent attribute, and one that
// is nil, is its type's zero; the first one of a wrong type is kept in err.
type reader struct {
	values schema.Values
	err    error
}

func (r *reader) has(name string) bool { return r.values[name] != nil }

func (r *reader) fail(name, want string, got any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s must be %s, and is %s", name, want, describe(got))
	}
}

func (r *reader) text(name string) string {
	v, ok := r.values[name].(string)
	if !ok && r.has(name) {
		r.fail(name, "a string", r.values[name])
	}
	return v
}

func (r *reader) texts(name string) []string {
	switch v := r.values[name].(type) {
	case nil:
		return nil
	case []string:
		return v
	case []any:
		list := make([]string, 0, len(v))
		for _, e := range v {
			text, ok := e.(string)
			if !ok {
				r.fail(name, "a list of strings", e)
			}
			list = append(list, text)
		}
		return list
	default:
		r.fail(name, "a list of strings", v)
		return nil
	}
}

func (r *reader) textMap(name string) map[string]string {
	v, ok := r.values[name].(map[string]string)
	if !ok && r.has(name) {
		r.fail(name, "an object of strings", r.values[name])
	}
	return v
}

func (r *reader) whole(name string) int {
	n, ok := wholeNumber(r.values[name])
	if !ok && r.has(name) {
		r.fail(name, "an integer", r.values[name])
	}
	return n
}

func (r *reader) duration(name string) time.Duration {
	v, ok := r.values[name].(time.Duration)
	if (!ok || v < 0) && r.has(name) {
		r.fail(name, "a duration of 0 or more", r.values[name])
	}
	return v
}

func (r *reader) json(name string) ([]byte, error) {
	data, err := providers.EncodeJSON(r.values[name])
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written as JSON: %w", name, err)
	}
	return data, nil
}

func (r *reader) common(out *providers.Output) {
	out.Latency = r.duration("latency")
	out.ChunkDelay = r.duration("chunk_delay")
	switch v := r.values["cost_usd"].(type) {
	case nil:
	case float64:
		out.CostUSD = v
	case int:
		out.CostUSD = float64(v)
	default:
		r.fail("cost_usd", "a number", v)
	}
}

func wholeNumber(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int(n), true
		}
	}
	return 0, false
}

func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the string %q", v)
	case bool:
		return fmt.Sprintf("the bool %t", v)
	case int, float64:
		return fmt.Sprintf("the number %v", v)
	case time.Duration:
		return fmt.Sprintf("the duration %s", v)
	case []any, []string:
		return "a list"
	case map[string]any, map[string]string:
		return "an object"
	default:
		return fmt.Sprintf("a %T", v)
	}
}
