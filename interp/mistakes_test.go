package interp

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	parser "github.com/scenario-lang/scenario/dsl/mistakes"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// A mistake is one change of a file that is right, and what is to be said of it.
type mistake struct {
	name, from, to  string
	summary, phrase string
	line, errors    int
}

// mistakes reads a file like testdata/mistakes.txt, which says how it is written.
func mistakes(t *testing.T, file string) (world string, all []mistake) {
	t.Helper()
	src, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(src), "== world\n")
	world, rest, _ = strings.Cut(rest, "== mistakes\n")
	for text := range strings.SplitSeq(rest, "\n# ") {
		lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(text, "# ")), "\n")
		if len(lines) != 4 {
			t.Fatalf("%q has %d lines, want 4", lines[0], len(lines))
		}
		plain := func(i int) string { return strings.ReplaceAll(lines[i][2:], `\n`, "\n") }
		m := mistake{name: lines[0], from: plain(1), to: plain(2), errors: 1}
		m.summary, m.phrase, _ = strings.Cut(plain(3), " | ")
		for {
			i := strings.LastIndexByte(m.phrase, ' ')
			n, err := strconv.Atoi(m.phrase[min(i+2, len(m.phrase)):])
			if i < 0 || err != nil {
				break
			}
			if m.phrase[i+1] == '@' {
				m.line = n
			} else {
				m.errors = n
			}
			m.phrase = m.phrase[:i]
		}
		all = append(all, m)
	}
	return world, all
}

// Shows that what people mistype is told on its line, as one error, with the words
// that lead out of it.
func TestMistakes(t *testing.T) {
	world, all := mistakes(t, "mistakes.txt")
	if len(all) < 120 {
		t.Errorf("there are %d mistakes only", len(all))
	}
	correct(t, world, all)
}

// Shows the same of files for a program, and of what those type who know other
// languages and other mocks.
func TestMistakesAboutPrograms(t *testing.T) {
	world, all := mistakes(t, "mistakes_program.txt")
	if len(all) < 40 {
		t.Errorf("there are %d mistakes only", len(all))
	}
	correct(t, world, all)
}

// correct makes each mistake in a world that has none.
func correct(t *testing.T, world string, all []mistake) {
	t.Helper()
	if errs := diagnose("w.scenario.hcl", []byte(world)); errs.HasErrors() {
		t.Fatal(errs)
	}
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			before, after, found := strings.Cut(world, m.from)
			if !found {
				t.Fatalf("the world has no %q", m.from)
			}
			src := before + m.to + after
			if m.line == 0 {
				m.line = firstDifference(world, src)
			}
			check(t, m, diagnose("w.scenario.hcl", []byte(src)))
		})
	}
}

// Shows that what a message proposes can be typed: the code in it can be parsed, and the
// word that was meant, put in the place of the wrong one, is not told of again.
func TestWhatMistakesAreAnsweredWith(t *testing.T) {
	for _, file := range []string{"mistakes.txt", "mistakes_program.txt"} {
		world, all := mistakes(t, file)
		for _, m := range all {
			src := strings.Replace(world, m.from, m.to, 1)
			for _, d := range diagnose("w.scenario.hcl", []byte(src)) {
				for _, code := range proposed(d.Detail) {
					if !parser.Parses(code) {
						t.Errorf("%s: this cannot be typed: %s\n%s", m.name, code, d.Detail)
					}
				}
				word := meant().FindStringSubmatch(d.Detail)
				if word == nil || d.Subject == nil {
					continue
				}
				given := string(d.Subject.SliceBytes([]byte(src)))
				if strings.HasPrefix(given, `"`) {
					word[1] = strconv.Quote(word[1])
				} else if _, rest, found := strings.Cut(given, "."); found {
					word[1] += "." + rest
				}
				corrected := src[:d.Subject.Start.Byte] + word[1] + src[d.Subject.End.Byte:]
				for _, again := range diagnose("w.scenario.hcl", []byte(corrected)) {
					same := again.Summary == d.Summary || oneWord().MatchString(given) && !strings.Contains(d.Detail, "It is written")
					if again.Subject != nil && same && again.Subject.Start.Byte == d.Subject.Start.Byte {
						t.Errorf("%s: with %s in place of %s: %s", m.name, word[1], given, again.Detail)
					}
				}
			}
		}
	}
}

// Shows that advice leads somewhere: with the reference, the attribute or the head of a block
// that a message says to write in the place that it points at, nothing is wrong there.
func TestAdviceCanBeTaken(t *testing.T) {
	taken := 0
	for _, file := range []string{"mistakes.txt", "mistakes_program.txt"} {
		world, all := mistakes(t, file)
		for _, m := range all {
			src := strings.Replace(world, m.from, m.to, 1)
			for _, d := range diagnose("w.scenario.hcl", []byte(src)) {
				corrected, from, to := advised(src, d)
				if corrected == "" || m.name == "step bare" { // the step is meant, and then a part of it
					continue
				}
				taken++
				for _, again := range diagnose("w.scenario.hcl", []byte(corrected)) {
					if again.Subject != nil && again.Subject.Start.Byte >= from && again.Subject.Start.Byte < to {
						t.Errorf("%s: %s\nwith %s: %s: %s", m.name, d.Detail, corrected[from:to], again.Summary, again.Detail)
					}
				}
			}
		}
	}
	if taken < 25 {
		t.Errorf("advice was taken %d times only", taken)
	}
}

var (
	adviceReference = pattern.New("(?:[Ww]rite|Did you mean) ((?:step|var|local|input|run|sut|case|provider|workflow|gateway|retry|breaker|actor|endpoint)(?:\\.[A-Za-z_]\\w*|\\[[0-9*]+\\])+)(?:[.?]|\\?| without quotes)")
	// oneWord is a name that stands alone: of more nobody knows which part is meant.
	oneWord         = pattern.New(`^"?[\w-]+"?$`)
	adviceAttribute = pattern.New("(?:[Ww]rite|written|mean|[a-z]:) `([A-Za-z_]\\w*) = ([^`…]+)`")
	adviceHead      = pattern.New("(?:[Ww]rite|written|mean|[a-z]:) `([a-z_]+(?: \"[^\"`…A-Z]*\")*) \\{ … \\}`")
	// whole is a reference, in quotes or not.
	whole     = pattern.New(`^"?[A-Za-z_][\w.\[\]*]*"?`)
	headGiven = pattern.New(`^[A-Za-z_]\w*(?:\s*=)?(?:\s+[^\s{]+)*?\s*:?\s*\{`)
)

// advised is a file with what a message says to write in the place of what it points at, and
// where that stands; "" where it says nothing of that kind.
func advised(src string, d *hcl.Diagnostic) (corrected string, from, to int) {
	if d.Subject == nil || strings.Contains(d.Detail, "at the top of the file") {
		return "", 0, 0
	}
	at := d.Subject.Start.Byte
	said := strings.ReplaceAll(d.Detail, "\n", " ")
	put := func(code string, from, to int) (string, int, int) {
		return src[:from] + code + src[to:], from, from + len(code)
	}
	line := strings.LastIndexByte(src[:at], '\n') + 1
	if m := adviceReference().FindStringSubmatch(said); m != nil {
		for at > line && strings.ContainsRune(wordSigns, rune(src[at-1])) {
			at--
		}
		if found := whole().FindString(src[at:]); found != "" {
			return put(m[1], at, at+len(found))
		}
	}
	if m := adviceHead().FindStringSubmatch(said); m != nil {
		start := line + len(src[line:]) - len(strings.TrimLeft(src[line:], " \t"))
		if found := headGiven().FindString(src[start:]); found != "" {
			return put(m[1]+" {", start, start+len(found))
		}
	}
	if m := adviceAttribute().FindStringSubmatch(said); m != nil {
		rest, _, _ := strings.Cut(src[at:], "\n")
		stop := at + len(rest)
		if i := strings.LastIndex(rest, " }"); i >= 0 && strings.Contains(src[line:at], "{") {
			stop = at + i
		}
		if i := strings.LastIndex(src[line:stop], m[1]); i >= 0 && line+i <= at {
			return put(m[1]+" = "+m[2], line+i, stop)
		}
	}
	return "", 0, 0
}

const wordSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]*\""

var meant = pattern.New(`Did you mean "([^"]+)"\?`)

// proposed is the code in a message: between backquotes, or behind the line of a hint.
func proposed(detail string) (all []string) {
	text, hint, _ := strings.Cut(detail, "\nhint: write\n")
	for i, code := range strings.Split(text, "`") {
		if i%2 == 1 && !strings.HasPrefix(code, "scenario ") {
			all = append(all, code)
		}
	}
	if hint != "" {
		all = append(all, hint)
	}
	return all
}

func check(t *testing.T, m mistake, errs hcl.Diagnostics) {
	t.Helper()
	if len(errs) != m.errors {
		t.Errorf("there are %d errors, want %d: %v", len(errs), m.errors, errs)
	}
	for _, d := range errs {
		said := strings.ReplaceAll(d.Detail, "\n", " ")
		if d.Summary == m.summary && strings.Contains(said, m.phrase) && d.Subject != nil && d.Subject.Start.Line == m.line {
			return
		}
	}
	t.Errorf("nothing on line %d is %s | %s:\n%v", m.line, m.summary, m.phrase, errs)
}

// firstDifference is the first line in which two texts differ.
func firstDifference(a, b string) int {
	these, those := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(these), len(those)) {
		if these[i] != those[i] {
			return i + 1
		}
	}
	return min(len(these), len(those))
}
