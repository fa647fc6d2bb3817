package failure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Matches reports whether a failure is what one entry of retry_on names: a
// status ("429"), a class of statuses ("5xx"), a kind ("timeout"), a
// connection's cause ("connection.refused"), or the code of its mode.
func Matches(f Failure, spec string) bool {
	if first, last, ok := statusRange(spec); ok {
		return first <= f.StatusCode && f.StatusCode <= last
	}
	if string(f.Kind) == spec {
		return spec != ""
	}
	if cause, ok := strings.CutPrefix(spec, string(Connection)+"."); ok {
		return f.Kind == Connection && string(f.Cause) == cause
	}
	return f.Mode != nil && f.Mode.Code == spec
}

// MayRetry reports whether a retry_on list lets a failure be retried.
// Empty, it leaves that to the taxonomy; else it says all that is retried.
// Terminal modes and cancellations are the caller's to stop first.
func MayRetry(f Failure, retryOn []string) bool {
	if len(retryOn) == 0 {
		return f.Retryable
	}
	return slices.ContainsFunc(retryOn, func(spec string) bool { return Matches(f, spec) })
}

// ValidSpec says why an entry of retry_on names nothing in t, or nil. A
// terminal mode is refused, because it is never retried.
func (t *Taxonomy) ValidSpec(spec string) error {
	if _, _, ok := statusRange(spec); ok {
		return nil
	}
	if m := t.Lookup(spec); m != nil && m.Terminal {
		return fmt.Errorf("the mode %q is terminal and never retried; remove it from the list", spec)
	} else if m != nil {
		return nil
	}
	if spec == string(Cancelled) {
		return fmt.Errorf("a cancelled call is never retried; remove %q from the list", spec)
	}
	if names := specNames(); !slices.Contains(names, spec) {
		names = append(names, t.Codes()...)
		if first, last, found := strings.Cut(spec, "-"); found && len(first) == 3 && len(last) == 3 && first[0] == last[0] && first[1:] == "00" && last[1:] == "99" {
			return fmt.Errorf("%q is no status, kind of failure or mode of %s, so nothing would match it; a class of statuses is written %q", spec, t.name, first[:1]+"xx")
		}
		return fmt.Errorf("%q is no status, kind of failure or mode of %s, so nothing would match it%s", spec, t.name, didYouMean(spec, names))
	}
	return nil
}

// specNames lists the kinds and the connection causes as retry_on writes them.
func specNames() []string {
	var names []string
	for _, k := range kinds {
		if k != Cancelled {
			names = append(names, string(k))
		}
	}
	for _, c := range causes {
		names = append(names, string(Connection)+"."+string(c))
	}
	return names
}

// statusRange reads "429" and "5xx". Statuses are 100 to 599, the only ones a
// response can have here.
func statusRange(spec string) (first, last int, ok bool) {
	if len(spec) != 3 || spec[0] < '1' || spec[0] > '5' {
		return 0, 0, false
	}
	if strings.EqualFold(spec[1:], "xx") {
		first = int(spec[0]-'0') * 100
		return first, first + 99, true
	}
	code, err := strconv.ParseUint(spec, 10, 16)
	return int(code), int(code), err == nil
}
