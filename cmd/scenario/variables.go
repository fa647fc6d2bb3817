package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/spf13/pflag"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/scenario-lang/scenario/dsl"
)

// varFileMax bounds a file of variables. It also bounds how deep the parser,
// which recurses, can be led.
const varFileMax = 256 << 10

// variableFlags are --var and --var-file as they were typed.
type variableFlags struct{ values, files []string }

func (f *variableFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.values, "var", nil, "set a variable: `name=value` (repeatable)")
	flags.StringArrayVar(&f.files, "var-file", nil, "read variables from a `file` of name = value (repeatable)")
}

// variables are the values given from outside, before any file is known.
// Precedence, last wins: environment, files in order, --var (language.md §2).
type variables struct {
	env     lookup
	fromVar map[string]string
	// fromFile holds values with their type; files says which file named them.
	fromFile map[string]cty.Value
	files    map[string]string
}

// read checks the flags and reads the files.
func (f *variableFlags) read(a *app) (*variables, error) {
	v := &variables{env: a.env, fromVar: map[string]string{}, fromFile: map[string]cty.Value{}, files: map[string]string{}}
	for _, given := range f.values {
		name, value, ok := strings.Cut(given, "=")
		if !ok || !hclsyntax.ValidIdentifier(name) {
			if ok {
				name += "=…" // the value may be a secret
			}
			return nil, usagef("for example --var model=gpt-4o-mini", "--var %s is not of the form name=value", name)
		}
		v.fromVar[name] = value
	}
	for _, path := range f.files {
		if err := v.readFile(a, path); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (v *variables) readFile(a *app, path string) error {
	src, err := readLimited(path, varFileMax)
	shown := filepath.ToSlash(path)
	if err != nil {
		return usagef("", "cannot read the variables in %s: %s", shown, cause(err))
	}
	if len(src) > varFileMax {
		return usagef("put large values into a file that the scenario reads with file()", "%s has more than %d KiB", shown, varFileMax>>10)
	}
	file, diags := hclsyntax.ParseConfig(src, shown, hcl.InitialPos)
	attrs, more := file.Body.JustAttributes()
	diags = append(diags, more...)
	for name, attr := range attrs {
		value, more := attr.Expr.Value(nil)
		if value.IsNull() && !more.HasErrors() {
			more = append(more, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Variable without a value", Subject: &attr.Range,
				Detail: fmt.Sprintf("The variable %q is null here. Leave it out to use its default.", name),
			})
		}
		diags = append(diags, more...)
		v.fromFile[name], v.files[name] = value, shown
	}
	if diags.HasErrors() {
		// Such a file holds secrets: no line of it is shown.
		a.writeDiagnostics(diags, nil, false)
		return &exitError{exitInvalid, fmt.Sprintf("%s is no file of variables: a line is name = value", shown), ""}
	}
	return nil
}

// of picks the values of the variables that a file declares, as text that the
// compiler converts to the declared type.
func (v *variables) of(file *dsl.File) map[string]string {
	values := map[string]string{}
	for _, b := range file.Body.All("variable") {
		name := b.Name()
		if text, ok := v.env("SCENARIO_VAR_" + name); ok {
			values[name] = text
		}
		if value, ok := v.fromFile[name]; ok {
			values[name] = asText(value, declaredType(b))
		}
		if text, ok := v.fromVar[name]; ok {
			values[name] = text
		}
	}
	return values
}

// declaredType is the type attribute of a variable block, as written.
func declaredType(b *dsl.Block) string {
	var ignored hcl.Diagnostics
	r := dsl.Reader{Block: b, Ctx: &hcl.EvalContext{}, Diags: &ignored}
	return r.String("type")
}

// asText writes a value so that the compiler reads it back as the same one:
// a variable of any type is read as JSON, so that a string needs its quotes.
func asText(v cty.Value, declared string) string {
	scalar := declared == "string" || declared == "number" || declared == "bool"
	if scalar && v.Type().IsPrimitiveType() {
		if s, err := convert.Convert(v, cty.String); err == nil {
			return s.AsString()
		}
	}
	out, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return v.GoString()
	}
	return string(out)
}

// unknown is a usage error where --var names a variable that no file declares,
// and a warning where a file of variables does.
func (v *variables) unknown(declared []string, warn io.Writer) error {
	for _, name := range sortedKeys(v.files) {
		if !slices.Contains(declared, name) {
			fmt.Fprintf(warn, "Warning: %s sets the variable %q, which no file declares.%s\n", v.files[name], name, dsl.DidYouMean(name, declared))
		}
	}
	for _, name := range sortedKeys(v.fromVar) {
		if slices.Contains(declared, name) {
			continue
		}
		hint := "no file declares a variable"
		if len(declared) > 0 {
			hint = "the variables are " + strings.Join(declared, ", ")
		}
		return usagef(hint, "--var %s: there is no variable %q.%s", name, name, dsl.DidYouMean(name, declared))
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
