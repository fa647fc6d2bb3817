package stdlib

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ofParser are the mistakes whose lines the YAML library counts from 0; it counts those
// of its scanner from 1.
var ofParser = []string{
	"did not find expected key",
	"did not find expected '-' indicator",
	"did not find expected ',' or ']'",
	"did not find expected ',' or '}'",
	"did not find expected node content",
	noDocument,
	"found undefined tag handle",
}

// noDocument is the mistake that is in no construct.
const noDocument = "did not find expected <document start>"

// maxPlaced and maxNested bound a text of YAML that is read again for the place of its
// mistake, in bytes and in brackets.
const (
	maxPlaced = 128 << 10
	maxNested = maxDepth
)

// unreadYAML says in which line a text stops being YAML. The library names the line in
// which the construct begins that has the mistake, and that of the mistake itself only
// where the construct begins in the first line. So the text is read again from the line on
// in which the construct begins.
func unreadYAML(text string, err error) error {
	why, _ := saidOfYAML(err)
	if second := (errSecond{}); errors.As(err, &second) || len(text) > maxPlaced || strings.Count(text, "[")+strings.Count(text, "{") > maxNested {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	begins := placedFrom(text, why)
	if begins == 0 {
		if begins = lineOfCharacter(text); begins == 0 {
			return errors.New(why)
		}
		return fmt.Errorf("in line %d of the text: %s", begins, why)
	}
	lines := strings.SplitAfter(text, "\n")
	rest := strings.Join(lines[min(begins, len(lines))-1:], "")
	line := begins
	if again, at := read(rest); again == why && placedFrom(rest, why) == 1 {
		line = begins + counted(why, at) - 1
	} else if slices.Contains(ofParser, why) && why != noDocument {
		return fmt.Errorf("in what begins in line %d of the text: %s", begins, why)
	}
	if line > 1+strings.Count(strings.TrimRight(text, "\r\n "), "\n") {
		return fmt.Errorf("at the end of the text: %s", why)
	}
	return fmt.Errorf("in line %d of the text: %s", line, why)
}

// placedFrom is the line in which the construct begins that has the mistake, from 1, and 0
// where the library does not say. With a line above, none begins in the first.
func placedFrom(text, why string) int {
	again, at := read("\n" + text)
	if again != why || at == 0 {
		return 0
	}
	return counted(why, at) - 1
}

// counted is the line that the library means, from 1.
func counted(why string, line int) int {
	if line == 0 || slices.Contains(ofParser, why) {
		return line + 1
	}
	return line
}

func read(text string) (why string, line int) {
	if _, err := readYAML(text); err != nil {
		return saidOfYAML(err)
	}
	return "", 0
}

// saidOfYAML parts what the library says from the line that it names, 0 for none.
func saidOfYAML(err error) (why string, line int) {
	why = strings.TrimPrefix(err.Error(), "yaml: ")
	number, rest, ok := strings.Cut(strings.TrimPrefix(why, "line "), ": ")
	if line, err := strconv.Atoi(number); ok && err == nil {
		return rest, line
	}
	return why, 0
}

// lineOfCharacter is the line of the first character that stands in no text of YAML
// (yaml.org/spec/1.2.2, 5.1), from 1, and 0 where there is none.
func lineOfCharacter(text string) int {
	for i, r := range text {
		control := r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 && r != 0x85
		if _, n := utf8.DecodeRuneInString(text[i:]); control || r == utf8.RuneError && n == 1 {
			return 1 + strings.Count(text[:i], "\n")
		}
	}
	return 0
}
