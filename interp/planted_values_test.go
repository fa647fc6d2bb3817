package interp

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// planted are expressions that somebody may write in the place of any attribute: a secret
// as it is, within a text and within a list, and a variable that has no value yet.
var planted = []string{
	`var.planted_secret`,
	`"sh ${var.planted_secret} ${1} ${true}"`,
	`[{ type = "text", text = "x ${var.planted_secret}" }]`,
	`[{ type = "text", text = var.planted_unset }]`,
	`"${var.planted_unset}"`,
}

const plantedVariables = `
variable "planted_secret" {
  default   = "alpha-canary bravo-canary 'charlie-canary"
  sensitive = true
}
variable "planted_unset" {}
`

// Shows that no message of the compiler has a word of a secret in it, nor ends the
// compiler, wherever in a file the secret stands, or a value that is not there yet.
func TestWhatIsPlantedInAttributes(t *testing.T) {
	every, wrong := 2, 0
	if testing.Short() {
		every = 13
	}
	n, seen := 0, map[string]bool{}
	for _, path := range suiteFiles(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, diags := hclsyntax.ParseConfig(source, path, hcl.InitialPos)
		if diags.HasErrors() {
			continue // sut.metric(…) is no syntax of HCL
		}
		for _, at := range attributesOf(file.Body.(*hclsyntax.Body), "file") {
			if seen[at.name] {
				continue
			}
			seen[at.name] = true
			for _, e := range planted {
				if n++; n%every != 0 {
					continue
				}
				src := fmt.Sprintf("%s%s%s%s", source[:at.rng.Start.Byte], e, source[at.rng.End.Byte:], plantedVariables)
				for _, d := range diagnosed(t, path, src) {
					if d.Severity == hcl.DiagError {
						wrong++
					}
					if strings.Contains(d.Detail, "-canary") || strings.Contains(d.Summary, "Internal") {
						t.Errorf("%s: %s = %s: %s: %s", path, at.name, e, d.Summary, d.Detail)
					}
				}
			}
		}
	}
	if len(seen) < 250 || wrong < len(seen)/4 {
		t.Errorf("only %d attributes and %d errors: the walk is broken", len(seen), wrong)
	}
}

// diagnosed compiles a file whose path may be that of another one.
func diagnosed(t *testing.T, path, src string) hcl.Diagnostics {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: %v\n%s", path, p, src)
		}
	}()
	file, diags := dsl.Parse(path, []byte(src))
	if file == nil || diags.HasErrors() {
		return diags
	}
	_, more := Compile(file, Options{})
	return append(diags, more...)
}

// A place of an attribute has the name of the blocks around it, and where its value stands.
type place struct {
	name string
	rng  hcl.Range
}

func attributesOf(body *hclsyntax.Body, within string) (list []place) {
	for _, name := range slices.Sorted(maps.Keys(body.Attributes)) {
		list = append(list, place{within + "." + name, body.Attributes[name].Expr.Range()})
	}
	for _, b := range body.Blocks {
		kind := b.Type
		if len(b.Labels) > 1 || b.Type == "fault" {
			kind += " " + b.Labels[0]
		}
		list = append(list, attributesOf(b.Body, within+"."+kind)...)
	}
	return list
}
