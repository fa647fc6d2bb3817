// Package nojson says of a text that is no JSON where and why, as a person would.
package nojson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Why says where a text stops being JSON and what is wrong there, "in column 7: a
// comma is missing before '{'". It is nil where the text is JSON. Of the text it shows one
// character.
func Why(text string) error {
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
