package declared

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	// tag is the tag of a field of a struct, and entry one of its entries.
	tag   = pattern.New("^`(?:[A-Za-z_]\\w*:\"[^\"\\n`]*\" *)+`$")
	entry = pattern.New(`([A-Za-z_]\w*):"([^"]*)"`)
	// encodes and decodes say that a file writes, and that it reads: what is only read is the same with omitempty.
	encodes = pattern.New(`\b(?:Marshal|MarshalIndent|NewEncoder|Encode)\(`)
	decodes = pattern.New(`\b(?:Unmarshal|NewDecoder|Decode|Bind|ShouldBindJSON)\(`)
	// embeds is a pattern of files that are embedded, with those whose names begin with a point.
	embeds = pattern.New(`(?m)^//go:embed [^\n]*?\b(all:)`)
)

// encodings are those whose tags name a field for a text, and have options.
var encodings = map[string]bool{"json": true, "yaml": true, "xml": true, "toml": true, "bson": true, "form": true, "url": true, "query": true}

// tags changes those of the fields of structs: an option left out, one more, and no name of its own. What is left out is
// left out of all of them as well.
func (f *finder) tags() {
	every := map[string][]group.Place{}
	var order []string
	written := encodes().MatchString(f.Text) && !decodes().MatchString(f.Text)
	for i := 0; i < f.Len(); i++ {
		s := f.At(i)
		if s == "" || s[0] != '`' || len(s) > 400 || !tag().MatchString(s) {
			continue
		}
		from, to := f.Bytes(i, i+1)
		for _, m := range entry().FindAllStringSubmatchIndex(s, 8) {
			if !encodings[s[m[2]:m[3]]] {
				continue
			}
			value, at := s[m[4]:m[5]], from+m[4]
			name, options, has := strings.Cut(value, ",")
			if !has && name != "-" && written {
				f.Add(at+len(name), at+len(name), ",omitempty", inner.Instead(f.Text[from:to], s[:m[5]]+",omitempty"+s[m[5]:]))
			}
			at += len(name)
			for option := range strings.SplitSeq(options, ",") {
				if option == "" {
					continue
				}
				f.put(at, at+1+len(option), "", from, to)
				if every[option] == nil {
					order = append(order, option)
				}
				every[option] = append(every[option], group.Place{From: at, To: at + 1 + len(option)})
				at += 1 + len(option)
			}
			if name != "" && !strings.EqualFold(name, f.field(i)) {
				f.put(from+m[4], from+m[4]+len(name), "", from, to)
			}
		}
	}
	f.kind = 0
	for _, option := range order {
		if places := every[option]; len(places) > 1 && !f.full() {
			f.AtOnce(places, "`,"+inner.Short(option, 30)+"` left out of all tags")
		}
	}
}

// field is the name of the field that has a tag.
func (f *finder) field(i int) string {
	for i--; i > 0 && f.sameLine(i-1) && f.At(i-1) != ";" && f.At(i-1) != "{"; i-- {
		if m := f.Mate(i); m >= 0 && m < i {
			i = m
		}
	}
	return f.At(i)
}

// directives changes what is said to the compiler: files whose names begin with a point are not embedded.
func (f *finder) directives() {
	for _, m := range embeds().FindAllStringSubmatchIndex(f.Text, mostOfKind) {
		f.leave(m[2], m[3], f.Text[m[2]:m[3]])
	}
}

// counted lets constants that are counted begin with 1.
func (f *finder) counted() {
	for i := 0; i < f.Len() && !f.full(); i++ {
		if f.word(i, "iota") && f.At(i-1) == "=" && !f.Quiet(i) && (f.At(i+1) == ")" || !f.sameLine(i)) {
			f.swap(i, i+1, "iota + 1")
		}
	}
}
