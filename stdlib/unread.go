package stdlib

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
)

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
	_, again := ctyyaml.Standard.Unmarshal([]byte(text), cty.DynamicPseudoType)
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
