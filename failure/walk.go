package failure

import (
	"errors"
	"net/url"
)

// walkMax bounds how many errors of one tree are looked at: an error may wrap
// itself, and errors.Is and errors.As would go round in it for ever.
const walkMax = 256

// visit gives an error and what it wraps to f, the outermost first and of
// several that are joined the first, until f says true or there were as many
// as budget says. It reports whether f said so.
func visit(err error, budget *int, f func(error) bool) bool {
	for ; err != nil && *budget > 0; err = errors.Unwrap(err) {
		*budget--
		if f(err) {
			return true
		}
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				if visit(e, budget, f) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// holds is errors.Is for any of several errors.
func holds(err error, targets ...error) bool {
	budget := walkMax
	return visit(err, &budget, func(e error) bool {
		claims, _ := e.(interface{ Is(error) bool })
		for _, t := range targets {
			if e == t || claims != nil && claims.Is(t) {
				return true
			}
		}
		return false
	})
}

// addressed is errors.As for the wrapper of http.Client.
func addressed(err error) (found *url.Error) {
	budget := walkMax
	visit(err, &budget, func(e error) bool {
		if u, ok := e.(*url.Error); ok {
			found = u
		} else if claims, ok := e.(interface{ As(any) bool }); ok && !claims.As(&found) {
			found = nil
		}
		return found != nil
	})
	return found
}
