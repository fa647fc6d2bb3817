package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/scenario-lang/scenario/dsl"
)

// varFileMax bounds a file of variables. It also bounds how deep the parser,
// which recurses, can be led.
const varFileMax = 256 << 10

// Variables are values of variables that are given from outside, before any
// file is known. Precedence, last wins: environment, files in order, Set. The zero value has none. It is safe for concurrent use once
// nothing is added any more.
type Variables struct {
	set map[string]string
	// fromFile holds values with their type; files says which file named them.
	fromFile map[string]cty.Value
	files    map[string]string
}

// Set gives a variable a value, as text that is converted to its type.
func (v *Variables) Set(name, text string) {
	if v.set == nil {
		v.set = map[string]string{}
	}
	v.set[name] = text
}

// ReadFile adds the values of a file of name = value. An error is an *[Error].
func (v *Variables) ReadFile(s *Source, path string) error {
	shown := filepath.ToSlash(path)
	src, err := s.read(path, varFileMax)
	if err != nil {
		bad := &Error{Problem: fmt.Sprintf("cannot read the variables in %s: %s", shown, cause(err)), Err: err}
		if meant := s.sibling(path, func(string) bool { return true }); meant != "" && errors.Is(err, fs.ErrNotExist) {
			bad.Hint = fmt.Sprintf("did you mean %s?", filepath.ToSlash(filepath.Join(filepath.Dir(path), meant)))
		}
		return bad
	}
	if len(src) > varFileMax {
		return problemf("put large values into a file that the scenario reads with file()", "%s has more than %d KiB", shown, varFileMax>>10)
	}
	body, diags := dsl.Syntax(shown, src)
	var attrs hcl.Attributes
	if body != nil {
		var more hcl.Diagnostics
		attrs, more = body.JustAttributes()
		diags = append(diags, more...)
	}
	diags = unquoted(diags)
	if v.fromFile == nil {
		v.fromFile, v.files = map[string]cty.Value{}, map[string]string{}
	}
	for name, attr := range attrs {
		value, more := evaluated(attr.Expr)
		more = unquoted(more)
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
		return &Error{Problem: shown + " is no file of variables: a line is name = value", Diags: diags}
	}
	return nil
}

// unquoted are diagnostics that say where something is wrong, and of the text nothing: a
// file of variables may hold secrets, and what is said of a mistake often has a part of it.
func unquoted(diags hcl.Diagnostics) hcl.Diagnostics {
	const json = "This file is JSON."
	shown := make(hcl.Diagnostics, len(diags))
	for i, d := range diags {
		bare := &hcl.Diagnostic{Severity: d.Severity, Summary: d.Summary, Subject: d.Subject, Context: d.Context}
		bare.Detail = "Nothing of this file is shown, because it may hold secrets: look at the place. A line is name = value, with a string in double quotes."
		if strings.HasPrefix(d.Detail, json) {
			bare.Detail = json + " Here a line is name = value, without braces and commas."
		}
		shown[i] = bare
	}
	return shown
}

// evaluated is the value of an expression that reads nothing.
func evaluated(e hcl.Expression) (cty.Value, hcl.Diagnostics) {
	written, ok := e.(hclsyntax.Expression)
	if !ok { // as a file of HCL never has
		return e.Value(nil)
	}
	return dsl.Evaluate(written, nil)
}

// of picks the values of the variables that a file declares, as text that the
// compiler converts to the declared type.
func (v *Variables) of(file *dsl.File, env func(string) (string, bool)) map[string]string {
	if v == nil {
		v = &Variables{}
	}
	var values map[string]string
	set := func(name, text string) {
		if values == nil { // of thousands of files most are given nothing
			values = map[string]string{}
		}
		values[name] = text
	}
	for _, b := range file.Body.All("variable") {
		name := b.Name()
		if env != nil {
			if text, ok := env("SCENARIO_VAR_" + name); ok {
				set(name, text)
			}
		}
		if value, ok := v.fromFile[name]; ok {
			set(name, asText(value, declaredType(b)))
		}
		if text, ok := v.set[name]; ok {
			set(name, text)
		}
	}
	return values
}

// Fingerprint tells other values from these. It may hold them, so that it is only
// to be hashed.
func (v *Variables) Fingerprint() string {
	if v == nil {
		return ""
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(v.fromFile)) {
		fmt.Fprintf(&b, "%q from a file: %#v\n", name, v.fromFile[name])
	}
	for _, name := range slices.Sorted(maps.Keys(v.set)) {
		fmt.Fprintf(&b, "%q: %q\n", name, v.set[name])
	}
	return b.String()
}

// An Undeclared variable has a value, and no file declares it.
type Undeclared struct {
	Name string
	// File is the file of variables that names it, "" for what [Variables.Set]
	// was given.
	File string
}

// Undeclared are the variables with a value that are not among those that files
// declare: first those of files of variables, then those that were set, each by
// name.
func (v *Variables) Undeclared(declared []string) []Undeclared {
	if v == nil {
		return nil
	}
	var found []Undeclared
	for _, name := range slices.Sorted(maps.Keys(v.files)) {
		if !slices.Contains(declared, name) {
			found = append(found, Undeclared{name, v.files[name]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.set)) {
		if !slices.Contains(declared, name) {
			found = append(found, Undeclared{name, ""})
		}
	}
	return found
}

// declaredType is the type attribute of a variable block, as written.
func declaredType(b *dsl.Block) string {
	var ignored hcl.Diagnostics
	r := dsl.Reader{Block: b, Ctx: &hcl.EvalContext{}, Diags: &ignored}
	return r.String("type")
}

// sensitive reports whether a variable block says that its value is.
func sensitive(b *dsl.Block) bool {
	var ignored hcl.Diagnostics
	r := dsl.Reader{Block: b, Ctx: &hcl.EvalContext{}, Diags: &ignored}
	return r.Bool("sensitive")
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
