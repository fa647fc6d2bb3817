package schema

import "strings"

// TypeName is what an attribute holds, for people.
func (a *Attr) TypeName() string {
	switch a.Type {
	case String:
		return "string"
	case Number:
		return "number"
	case Int:
		return "integer"
	case Bool:
		return "bool"
	case Duration:
		return "duration"
	case Strings:
		return "list of strings"
	case Map:
		return "object"
	case StringMap:
		return "object of strings"
	case Ref:
		return "reference to " + strings.Join(a.Refs, ", ")
	case Refs:
		return "references to " + strings.Join(a.Refs, ", ")
	case Expr:
		return "expression"
	}
	return "any value"
}
