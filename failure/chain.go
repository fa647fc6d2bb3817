package failure

import (
	"errors"
	"reflect"
	"strings"
)

// chainMax bounds the length of a chain: an error that is wrapped at every level
// of a recursion would else fill the trace.
const chainMax = 20

// Beneath lists the errors that err wraps, the nearest first, by their types
// and messages. Wrappers that only carry a URL are left out, because a URL may
// hold secrets.
func Beneath(err error) []Failure {
	var chain []Failure
	for e := below(err); e != nil && len(chain) < chainMax; e = below(e) {
		e = bareError(e)
		chain = append(chain, Failure{Type: ownType(e), Message: e.Error()})
	}
	return chain
}

// below is the next error of a chain; of several that are joined, the first.
func below(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		if all := many.Unwrap(); len(all) > 0 {
			return all[0]
		}
		return nil
	}
	return errors.Unwrap(err)
}

// ownType is the name of an error's type, and "" where that is a plain text. An
// error may name itself, as those of the fault "error" do.
func ownType(err error) string {
	if e, ok := err.(interface{ ErrorType() string }); ok {
		return e.ErrorType()
	}
	switch name := strings.TrimLeft(reflect.TypeOf(err).String(), "*"); name {
	case "fmt.wrapError", "fmt.wrapErrors", "errors.joinError", "errors.errorString", "url.Error":
		return ""
	default:
		return name
	}
}
