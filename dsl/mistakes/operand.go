package mistakes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/stdlib"
)

// method says how to write the call of a method, value.name(…), as that of the
// function which does the same. before ends with the name, and after begins with the
// parenthesis of the call.
func method(value, name, before, after string) string {
	if said := ofLibrary(value, name, before, after); said != "" {
		return said
	}
	if said := withFunction(value, name, after); said != "" {
		return said
	}
	if modules[value] && signatureOf(name) != "" {
		arguments, _, closed := call(after)
		if !closed {
			arguments = "…"
		}
		return fmt.Sprintf("A function is called by its name alone: %s(%s).", name, inLanguage(arguments))
	}
	const said = "A function is called by its name alone, and takes the value as an argument: "
	arguments := "…"
	if m := plainArguments().FindStringSubmatch(after); m != nil {
		arguments = inLanguage(m[1])
	}
	signature := signatureOf(name)
	if signature == "" {
		var names []string
		for _, f := range stdlib.List() {
			names = append(names, f.Name)
		}
		meant := spelling.Nearest(name, names)
		if meant == "" {
			return fmt.Sprintf("%s%s(%s, …). There is no function %q.", said, name, value, name)
		}
		name, signature = meant, signatureOf(meant)
	}
	_, parameters, _ := strings.Cut(strings.TrimSuffix(signature, ")"), "(")
	first, others, _ := strings.Cut(parameters, ", ")
	switch {
	case others == "":
		return fmt.Sprintf("%s%s(%s).", said, name, value)
	case arguments == "" || !slices.Contains(subjects, first):
		return fmt.Sprintf("A function is called by its name alone: %s.", signature)
	}
	return fmt.Sprintf("%s%s(%s, %s).", said, name, value, arguments)
}

// modules are what other languages write in front of the functions of their libraries.
var modules = map[string]bool{"math": true, "Math": true, "strings": true, "string": true, "json": true, "JSON": true, "re": true, "np": true, "numpy": true, "_": true, "lodash": true, "fn": true, "std": true, "builtins": true, "core": true}

// subjects are the first parameters of functions in which the value stands that other
// languages would put in front of the name.
var subjects = []string{"text", "list", "value", "object", "number"}

// signatureOf shows how a function is called, "" where there is none of that name.
func signatureOf(name string) string {
	for _, f := range stdlib.List() {
		if f.Name == name {
			return f.Signature
		}
	}
	return ""
}

// contains writes `part in whole` as a call. What is before ends with the part, and
// after begins with the word in.
func contains(before, after string) string {
	part, whole := lastOperand().FindStringSubmatch(before), firstOperand().FindStringSubmatch(after)
	if part == nil || whole == nil {
		return "contains(list, element)"
	}
	return fmt.Sprintf("contains(%s, %s)", whole[1], part[1])
}

// identity explains the word is, of which other languages make a comparison.
func identity(before, after string) string {
	sign := "=="
	if strings.HasPrefix(after, "is not ") {
		sign, after = "!=", "is "+strings.TrimPrefix(after, "is not ")
	}
	left, right := lastOperand().FindStringSubmatch(before), firstOperand().FindStringSubmatch(after)
	if left == nil || right == nil {
		return "Two values are compared with == or !=."
	}
	other := right[1]
	switch other {
	case "None", "nil", "undefined":
		other = "null"
	case "True", "False":
		other = strings.ToLower(other)
	}
	return fmt.Sprintf("Two values are compared with == or !=: %s %s %s.", left[1], sign, other)
}
