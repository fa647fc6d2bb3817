package stdlib

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	ctyyaml "github.com/zclconf/go-cty-yaml"
)

// unreadJSON says where a text stops being JSON and what is wrong there, nil where it
// is JSON.
func unreadJSON(text string) error {
	var whole json.RawMessage
	err := json.Unmarshal([]byte(text), &whole)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return nil
	}
	if strings.Contains(err.Error(), "unexpected end") {
		if strings.TrimSpace(text) == "" {
			return errors.New("the text is empty")
		}
		return errors.New("the text ends before its JSON does: a bracket or a quote is not closed")
	}
	at := min(max(int(syntax.Offset), 1), len(text)) - 1
	return fmt.Errorf("%s: %s", placeIn(text, at), whyNoJSON(text, at, err))
}

// whyNoJSON says what is wrong with the character at an offset, where the decoder
// stopped with an error.
func whyNoJSON(text string, at int, err error) string {
	before := strings.TrimRight(text[:at], " \t\r\n")
	found, _ := utf8.DecodeRuneInString(text[at:])
	rest := text[at:]
	switch {
	case strings.HasSuffix(before, ",") && strings.ContainsRune("]}", found):
		return fmt.Sprintf("JSON has no comma before %q", found)
	case found == '\'':
		return "texts in JSON are in double quotes"
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"), found == '#':
		return "JSON has no comments"
	case strings.HasSuffix(err.Error(), "after object key"):
		return fmt.Sprintf("a colon is missing before %q", found)
	case strings.HasSuffix(err.Error(), "after object key:value pair"), strings.HasSuffix(err.Error(), "after array element"):
		return fmt.Sprintf("a comma is missing before %q", found)
	case strings.HasSuffix(err.Error(), "after top-level value"):
		return fmt.Sprintf("the value has ended before %q, and a text has one value", found)
	case strings.HasSuffix(err.Error(), "of object key string"):
		return fmt.Sprintf("a key in double quotes belongs here, and not %q", found)
	case strings.HasSuffix(err.Error(), "beginning of value"):
		return fmt.Sprintf("no value begins with %q: texts are in double quotes, and the words are true, false and null", found)
	}
	return err.Error()
}

// placeIn names an offset of a text by line and column, counted in characters from 1,
// by the column alone where the text has one line.
func placeIn(text string, at int) string {
	line := 1 + strings.Count(text[:at], "\n")
	column := 1 + utf8.RuneCountInString(text[strings.LastIndexByte(text[:at], '\n')+1:at])
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return fmt.Sprintf("in column %d", column)
	}
	return fmt.Sprintf("in line %d, column %d, of the text", line, column)
}

// ofParser are the mistakes that the YAML library counts from line 0; those of its
// scanner it counts from 1.
var ofParser = []string{
	"did not find expected key",
	"did not find expected '-' indicator",
	"did not find expected ',' or ']'",
	"did not find expected ',' or '}'",
	"did not find expected node content",
	"did not find expected <document start>",
	"found undefined tag handle",
}

// maxPlaced and maxNested bound a text of YAML that is read again for the place of its
// mistake, in bytes and in brackets: the reader that knows places has no limit of its own.
const (
	maxPlaced = 128 << 10
	maxNested = maxDepth
)

// unreadYAML says in which line a text stops being YAML. It says what the library does
// that reads it, which knows only where the construct began; another reader of the same
// grammar knows the line. It is believed where both mean the same mistake: it also has
// complaints about values, which a message must not show.
func unreadYAML(text string, err error) error {
	why := strings.TrimPrefix(err.Error(), "yaml: ")
	// An alias could stand for more than is to be read twice.
	if len(text) > maxPlaced || strings.Contains(text, "*") || strings.Count(text, "[")+strings.Count(text, "{") > maxNested {
		return errors.New(why)
	}
	_, again := ctyyaml.Standard.ImpliedType([]byte(text))
	if again == nil {
		return errors.New(why)
	}
	line, mistake := 1, again.Error()
	var exact ctyyaml.Error
	if errors.As(again, &exact) {
		line, mistake = exact.Line, exact.Cause().Error()
	}
	if !strings.HasSuffix(why, mistake) {
		return errors.New(why)
	}
	if slices.Contains(ofParser, mistake) && exact.Line > 0 {
		line++
	}
	if line > 1+strings.Count(strings.TrimRight(text, "\r\n "), "\n") {
		return fmt.Errorf("at the end of the text: %s", mistake)
	}
	return fmt.Errorf("in line %d of the text: %s", line, mistake)
}
