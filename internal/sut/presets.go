package sut

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/interp"
)

// What bounds what is looked for in the sources of a program: how many values, at how many places of them, and how
// much of what stands around one.
const (
	presetMost   = 32
	presetPlaces = 2_000
	presetAround = 200
)

// A presets knows which values a program takes where it is given none, as far as its sources say so: with such a
// value it may as well not read what it is given.
type presets struct {
	files  func() []string // asked for the first value
	values int             // how many were looked for
	places int             // and at how many places
}

// options are lines for the options of a command that have such a value.
func (p *presets) options(command []string, hidden func(string) string) (lines []string) {
	for i, word := range command {
		value := ""
		if i > 0 && strings.HasPrefix(command[i-1], "--") && !strings.Contains(command[i-1], "=") && !strings.HasPrefix(word, "-") {
			value = word
		} else if name, of, has := strings.Cut(word, "="); has && strings.HasPrefix(name, "--") {
			value = of
		}
		if !p.has(value) {
			continue
		}
		what := word
		if value == word {
			what = command[i-1] + " " + word
		}
		lines = append(lines, "sut: "+hidden(what)+" (which the program takes without it)")
	}
	return lines
}

// chosen are lines for the words of header fields that are such a value.
func (p *presets) chosen(all []interp.Chosen, hidden func(string) string) (lines []string) {
	for _, c := range all {
		if p.has(c.Value) {
			lines = append(lines, fmt.Sprintf("%s: header %s %s (which the program takes without it)", c.By, c.Field, hidden(c.Value)))
		}
	}
	return lines
}

// preset is a piece of a source with a NUL in the place of a value, where the value is taken if none is given.
var preset = sync.OnceValue(func() *regexp.Regexp {
	const v = "[\"'`]?\x00[\"'`]?"
	return regexp.MustCompile(`(?i:default)\w*\s*[=:(]\s*` + v + `\s*[,)\n;}]|(?:\|\||\?\?|\bor)\s*` + v + `\s*[,)\n;}]|get(?:env)?\([^()\n]*,\s*` + v + `\s*\)|:-` + v + `\}|flag\.\w+\([^()\n]*,\s*` + v + `\s*,`)
})

// has reports whether a source says of a value that it is taken where none is given.
func (p *presets) has(value string) bool {
	if len(value) < 2 || len(value) > 100 || p.values == presetMost {
		return false
	}
	p.values++
	return slices.ContainsFunc(p.files(), func(text string) bool { return p.in(text, value) })
}

// in is [presets.has] for one source.
func (p *presets) in(text, value string) bool {
	for at := 0; p.places < presetPlaces; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return false
		}
		i += at
		at = i + 1
		before := text[max(0, i-presetAround):i]
		if sign := strings.TrimRight(before, " \t\r\n\"'`"); sign == "" || strings.IndexByte("=:(|?r,-", sign[len(sign)-1]) < 0 {
			continue // most words of a text stand behind another one
		}
		p.places++
		end := i + len(value)
		after := text[end:min(len(text), end+presetAround)]
		if !strings.Contains(before+after, "\x00") && preset().MatchString(before+"\x00"+after) {
			return true
		}
	}
	return false
}
