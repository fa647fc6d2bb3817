// Package says gives the values that answers and requests have, by their names.
//
//	says.JSON(body, func(name, value string) { fmt.Println(name, value) }) // total 1299
package says

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
)

// Reply gives the values that a reply has, with their names.
func Reply(reply *providers.Output, add func(name, value string)) {
	for _, cookie := range reply.Headers["Set-Cookie"] {
		pair, _, _ := strings.Cut(cookie, ";")
		add("a cookie", pair)
	}
	for _, name := range []string{"Location", "Last-Modified", "Link"} {
		add(name, reply.Headers.Get(name))
	}
	for _, call := range reply.ToolCalls {
		JSON(call.Arguments, add)
	}
	for _, text := range []string{string(reply.Body), string(reply.Structured), reply.Content} {
		JSON(text, add)
	}
	for _, row := range reply.Rows {
		for i, v := range row {
			if i >= len(reply.Columns) {
				break
			}
			switch v := v.(type) {
			case string:
				add(reply.Columns[i].Name, v)
			case json.Number:
				add(reply.Columns[i].Name, v.String())
			case float64:
				add(reply.Columns[i].Name, strconv.FormatFloat(v, 'f', -1, 64))
			}
		}
	}
}

// JSON gives the texts and numbers of a text of JSON with the paths to them, such as "items[].id";
// nothing where it is no object or list.
func JSON(text string, give func(name, value string)) {
	if strings.TrimLeft(text, " \t\r\n") == "" {
		return
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return
	}
	var within func(path string, v any)
	within = func(path string, v any) {
		switch v := v.(type) {
		case string:
			if path != "" {
				give(path, v)
			}
		case json.Number:
			if path != "" {
				give(path, v.String())
			}
		case map[string]any:
			for _, name := range read.SortedNames(v) {
				within(strings.TrimPrefix(path+"."+name, "."), v[name])
			}
		case []any:
			for _, e := range v {
				within(path+"[]", e)
			}
		}
	}
	within("", v)
}
