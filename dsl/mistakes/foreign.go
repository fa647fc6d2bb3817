package mistakes

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

// Foreign says how what programming languages write in some ways is written here, "" for
// a reference that is none of theirs. first and second are the names behind its root, ""
// where it has none.
func Foreign(root, first, second string) string {
	variable := func(name string) string {
		return fmt.Sprintf(" A variable of the environment is read with env(%q).", cmp.Or(name, "NAME"))
	}
	switch {
	case root == "env":
		return variable(first)
	case root == "data" && (first == "local" || first == "var" || first == "step") && second != "":
		return fmt.Sprintf(" Did you mean %s.%s?", first, second)
	case root == "process" && first == "env", root == "os" && first == "environ":
		return variable(second)
	case root == "time" && first != "":
		return " A duration is written in quotes with its unit, such as \"5s\" or \"250ms\"."
	case root == "http" && strings.HasPrefix(first, "Status"):
		return status(strings.TrimPrefix(first, "Status"))
	case root == "math" && strings.HasPrefix(strings.ToLower(first), "inf"), root == "Infinity":
		return " There is no infinite number: leave the attribute out, or write a large one."
	}
	return ""
}

// status says how a status is written that Go calls by the words of its reason.
func status(reason string) string {
	for code := 100; code < 600; code++ {
		if said := http.StatusText(code); said != "" && strings.NewReplacer(" ", "", "-", "", "'", "").Replace(said) == reason {
			return fmt.Sprintf(" A status is written as its number: %d.", code)
		}
	}
	return " A status is written as its number, such as 503."
}
