package sized

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Bounds of the lists in which elements are followed from one to the next.
const (
	chainsOf      = 1 << 20 // bytes of a text
	chainElements = 4096
	chainMembers  = 8
	chainLevels   = 8   // at which lists are looked for
	chainLists    = 512 // in a run, and as many texts
)

// chains measures how deep the elements of the lists of a text of JSON stand below each other, where a member of one
// has the key of another: {"id": 7, "parent": 3}. Each different text is looked at once, and no more when chainLists
// were.
func (m *measures) chains(content string) {
	if len(content) > chainsOf || m.lists >= chainLists || len(m.texts) >= chainLists || m.texts[content] || !strings.Contains(content, "[") {
		return
	}
	if m.texts == nil {
		m.texts = map[string]bool{}
	}
	m.texts[content] = true
	var v any
	if json.Unmarshal([]byte(content), &v) == nil {
		m.chainsIn(v, chainLevels)
	}
}

func (m *measures) chainsIn(v any, levels int) {
	if levels == 0 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			m.chainsIn(v[name], levels-1)
		}
	case []any:
		if len(v) > 1 && len(v) <= chainElements && m.lists < chainLists {
			m.lists++
			m.at(nesting, longest(v))
		}
		for _, e := range v[:min(len(v), chainElements)] {
			m.chainsIn(e, levels-1)
		}
	}
}

// longest is the longest chain of elements of a list, 0 where none has the key of another.
func longest(list []any) (n int64) {
	first, is := list[0].(map[string]any)
	if !is {
		return 0
	}
	var members []string
	for name := range first {
		members = append(members, name)
	}
	slices.Sort(members)
	for _, key := range members[:min(len(members), chainMembers)] {
		of := map[any]map[string]any{}
		for _, e := range list {
			if o, is := e.(map[string]any); is && isKey(o[key]) {
				of[o[key]] = o
			}
		}
		if len(of) != len(list) {
			continue // no key
		}
		for _, to := range members[:min(len(members), chainMembers)] {
			if to != key {
				n = max(n, chain(list, of, key, to))
			}
		}
	}
	return n
}

func isKey(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case float64:
		return true
	}
	return false
}

// chain is the longest way from one element to the next by the key that one of its members has. A circle has no end
// and is none.
func chain(list []any, of map[any]map[string]any, key, to string) (n int64) {
	depths := map[any]int64{}
	for _, e := range list {
		at := e.(map[string]any)[key]
		var way []any
		deep := int64(0)
		for next := at; ; {
			if d, known := depths[next]; known {
				deep = d
				break
			}
			o := of[next]
			if o == nil {
				break
			}
			depths[next] = 0 // until it is known: a circle ends here
			way = append(way, next)
			if next = o[to]; !isKey(next) {
				break
			}
		}
		for i := len(way) - 1; i >= 0; i-- {
			deep++
			depths[way[i]] = deep
		}
		n = max(n, deep)
	}
	if n == 1 {
		return 0
	}
	return n
}
