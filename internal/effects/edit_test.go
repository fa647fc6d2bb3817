package effects

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"
)

// An edit is one change of a file: an attribute of the block at a path gets a
// value, or goes, or the block gets another block.
type edit struct{ path, attr, value, block string }

var (
	attrEdit  = regexp.MustCompile(`^(\S*)\.(\w+) = (.+)$`)
	blockEdit = regexp.MustCompile(`^(\S+) \+ (.+)$`)
	labels    = regexp.MustCompile(`\[[^/]*\]`)
)

// theFile is the path of the file itself, where a block is added to it.
const theFile = "file"

// newLine stands for a line break in a block that is added.
const newLine = "⏎"

// gone is the value of an attribute that an edit takes away.
const gone = "-"

func parseEdit(text string) (edit, error) {
	if m := blockEdit.FindStringSubmatch(text); m != nil {
		return edit{path: strings.TrimPrefix(m[1], theFile), block: strings.ReplaceAll(m[2], newLine, "\n")}, nil
	}
	if m := attrEdit.FindStringSubmatch(text); m != nil {
		return edit{path: m[1], attr: m[2], value: strings.ReplaceAll(m[3], newLine, "\n")}, nil
	}
	return edit{}, fmt.Errorf("%q is no change: want PATH.ATTRIBUTE = VALUE or PATH + BLOCK", text)
}

// name is what is changed at the path.
func (e edit) name() string {
	if e.attr != "" {
		return e.attr
	}
	return "+ " + strings.ReplaceAll(e.block, "\n", newLine)
}

// A site is a block of a file with its path in the schema.
type site struct {
	path   string
	named  string           // the path with the last label of each block
	block  *hclsyntax.Block // nil for the file
	schema *schema.Block
}

// sites lists the blocks of a file in order, the file itself first.
func sites(source string) ([]site, error) {
	file, diags := hclsyntax.ParseConfig([]byte(source), "world"+worldSuffix, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	list := []site{{"", "", nil, language.File()}}
	var visit func(body *hclsyntax.Body, in *schema.Block, path, named string) error
	visit = func(body *hclsyntax.Body, in *schema.Block, path, named string) error {
		for _, b := range body.Blocks {
			s := in.Block(b.Type)
			if s == nil {
				return fmt.Errorf("%s: no block %s in %q", b.TypeRange, b.Type, path)
			}
			at, called := strings.TrimPrefix(path+"/"+b.Type, "/"), strings.TrimPrefix(named+"/"+b.Type, "/")
			if s.Kinds != nil {
				if s = s.ForKind(b.Labels[0]); s == nil {
					return fmt.Errorf("%s: no kind %q of %s", b.TypeRange, b.Labels[0], at)
				}
				at, called = at+":"+b.Labels[0], called+":"+b.Labels[0]
			}
			if n := len(b.Labels); n > 0 {
				called += "[" + b.Labels[n-1] + "]"
			}
			list = append(list, site{at, called, b, s})
			if err := visit(b.Body, s, at, called); err != nil {
				return err
			}
		}
		return nil
	}
	return list, visit(file.Body.(*hclsyntax.Body), language.File(), "", "")
}

// find is the block that a path means, which may have * for a kind.
func find(source, path string) (site, error) {
	list, err := sites(source)
	if err != nil {
		return site{}, err
	}
	var pattern strings.Builder
	for i, element := range strings.Split(path, "/") {
		if i > 0 {
			pattern.WriteString("/")
		}
		pattern.WriteString(strings.ReplaceAll(regexp.QuoteMeta(element), `\*`, `[^/\[]*`))
		if !labels.MatchString(element) {
			pattern.WriteString(`(\[[^/]*\])?`)
		}
	}
	fits := regexp.MustCompile("^" + pattern.String() + "$")
	var found *site
	for i := range list {
		s := &list[i]
		if fits.MatchString(s.named) && (found == nil || strings.HasSuffix(s.named, "[it]") && !strings.HasSuffix(found.named, "[it]")) {
			found = s
		}
	}
	if found == nil {
		return site{}, fmt.Errorf("the world has no block %s", path)
	}
	return *found, nil
}

// apply changes a file and returns the path of the changed block, with its
// kind.
func (e edit) apply(source string) (changed, path string, err error) {
	s, err := find(source, e.path)
	if err != nil {
		return "", "", err
	}
	addition := e.block
	if e.attr != "" {
		addition = e.attr + " = " + e.value
		if s.block != nil {
			if a := s.block.Body.Attributes[e.attr]; a != nil {
				return cut(source, a.SrcRange, addition, e.value == gone), s.path, nil
			}
		}
		if e.value == gone {
			return "", "", fmt.Errorf("%s has no attribute %s to take away", e.path, e.attr)
		}
	}
	path = s.path
	if e.block != "" {
		path = strings.TrimPrefix(path+"/"+strings.Fields(e.block)[0], "/")
	}
	if s.block == nil {
		return addition + "\n" + source, path, nil
	}
	// A block of one line has room for one attribute only.
	open, end := s.block.OpenBraceRange.End.Byte, s.block.CloseBraceRange.Start.Byte
	return source[:open] + "\n" + addition + "\n" + source[open:end] + "\n" + source[end:], path, nil
}

// cut puts another text in the place of an attribute.
func cut(source string, r hcl.Range, text string, away bool) string {
	if away {
		text = ""
	}
	return source[:r.Start.Byte] + text + source[r.End.Byte:]
}
