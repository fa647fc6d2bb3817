package match

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// leavesOf folds the events of one kind: for every place in their data what
// was said there by all of them, the pieces of a text joined. Of anything else
// that changes on the way the last value counts.
func leavesOf(events []any) map[string]any {
	byPath := map[string][]any{}
	for _, e := range events {
		eachLeaf("", e, func(path string, v any) { byPath[path] = append(byPath[path], v) })
	}
	out := make(map[string]any, len(byPath))
	for path, values := range byPath {
		out[path] = folding(values)
	}
	return out
}

// folding is one value for all that was said at a place. A text that every
// event repeats, as most do their id, stands for itself.
func folding(values []any) any {
	last := values[len(values)-1]
	var text strings.Builder
	same := true
	for _, v := range values {
		s, isText := v.(string)
		if !isText {
			if v == nil {
				continue // what follows in a stream, or came before
			}
			return last
		}
		same = same && reflect.DeepEqual(v, values[0])
		text.WriteString(s)
	}
	switch {
	case same && values[0] != nil:
		return values[0]
	case text.Len() > 0:
		return text.String()
	}
	return last
}

// eachLeaf tells of every value in a tree that has nothing in it.
func eachLeaf(path string, v any, leaf func(string, any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachLeaf(path+step(name), v[name], leaf)
		}
	case []any:
		for i, item := range v {
			eachLeaf(path+"["+strconv.Itoa(i)+"]", item, leaf)
		}
	default:
		leaf(path, v)
	}
}

// compareLeaves compares what was said at each place of the events of a kind.
func (d *Differ) compareLeaves(root string, a, b map[string]any) {
	for _, path := range slices.Sorted(maps.Keys(Union(a, b))) {
		d.Compare(root+path, member(a, path), member(b, path))
	}
}
