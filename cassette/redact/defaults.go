package redact

import (
	"slices"
	"strings"
)

// defaultMax is how far behind a name its default is looked for.
const defaultMax = 200

// otherwise are the operators whose right side is taken if the left one gives nothing.
var otherwise = []string{"|| ", "?? ", " or "}

// hideDefault hides the text that a program takes if nobody gives it a secret, and returns
// where to read on: apiKey = process.env.K || '…', os.getenv("X") or "…", ENV.fetch("X", "…").
func (a assignment) hideDefault(e *edits, text string, end int) int {
	line := text[a.value:min(len(text), a.value+defaultMax)]
	if n := strings.IndexAny(line, "\n;{}"); n >= 0 {
		line = line[:n]
	}
	at := -1
	for _, sign := range otherwise {
		if n := strings.Index(line, sign); n > 0 {
			at = n + len(sign)
			break
		}
	}
	if call := strings.IndexByte(line, '('); at < 0 && call > 0 && isLookup(line[:call]) {
		if n := strings.IndexByte(line[call:], ','); n > 0 {
			at = call + n + 1
		}
	}
	if at < 0 {
		return end
	}
	for at += a.value; at < len(text) && text[at] == ' '; {
		at++
	}
	from, to := assignedValue(text, at)
	if from <= at || from >= to || to > a.value+2*defaultMax {
		return end
	}
	if value := text[from:to]; isBareSecret(value) && !strings.Contains(value, " ") && a.kind.assigned(value, false, false) {
		e.replace(from, to, Placeholder(unescape(value)))
		return to
	}
	return end
}

// isLookup reports whether a call looks something up, by its name.
func isLookup(call string) bool {
	if strings.ContainsAny(call, " \t\"'") {
		return false
	}
	call = strings.ToLower(call)
	return slices.ContainsFunc(lookups, func(end string) bool { return strings.HasSuffix(call, end) })
}

// lookups are the ends of the names of such calls.
var lookups = []string{"env", "get", "fetch", "getordefault"}
