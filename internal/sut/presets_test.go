package sut

import (
	"strings"
	"testing"
)

// Shows which sources say of a value that a program takes it where it is given none, and that it is found behind
// many other places that have it.
func TestPresets(t *testing.T) {
	for source, want := range map[string]bool{
		"level = os.environ.get('LEVEL', 'info')":         true,
		"level = os.getenv(\"LEVEL\", \"info\" )":         true,
		"const level = process.env.LEVEL || `info`;":      true,
		"const level = process.env.LEVEL ?? 'info'\n":     true,
		"level = args.level or \"info\"\n":                true,
		"p.add_argument('--level', default='info')":       true,
		"DefaultLevel: info\n":                            true,
		"level=${LEVEL:-info}":                            true,
		"level := flag.String(\"level\", \"info\", \"\")": true,
		"level = 'info'\n":                                false,
		"default = 'information'\n":                       false,
		"default = 'warn' # not info\n":                   false,
		"default = 'INFO'\n":                              false,
		"get('info', level)":                              false,
		"\x00default = 'info'\n":                          false, // a program that is built
		strings.Repeat("level is info\n", presetPlaces+1) + "level = level or 'info'\n": true,
	} {
		p := presets{files: func() []string { return []string{"", source} }}
		if got := p.has("info"); got != want {
			t.Errorf("%.60q: %v", source, got)
		}
	}
	p := presets{files: func() []string { return []string{strings.Repeat("info, ", presetPlaces+1) + "level or info\n"} }}
	if p.has("info") || p.places > presetPlaces {
		t.Errorf("looked at %d places", p.places)
	}
	p = presets{files: func() []string { return nil }}
	for range presetMost + 1 {
		p.has("info")
	}
	if p.files = func() []string { return []string{"level or info\n"} }; p.values != presetMost || p.has("info") {
		t.Errorf("looked for %d values", p.values)
	}
}
