package serve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// unasked says what to do where no program ever asked a session for anything of some
// providers, though others may have been asked. What most often keeps one from it is that
// it knows another address already.
func (s *sessions) unasked(providers []*interp.Provider, others bool) string {
	var at, names []string
	for _, asked := range providers {
		url := s.at.Providers[asked.Name]
		switch {
		case asked.Command != nil:
			at = append(at, fmt.Sprintf("provider %q is the command %s", asked.Name, strings.Join(s.at.Commands[asked.Name], " ")))
		default:
			at = append(at, fmt.Sprintf("provider %q is at %s", asked.Name, url))
		}
		for _, name := range slices.Sorted(maps.Keys(s.at.Env)) {
			if value := s.at.Env[name]; url != "" && value != s.at.Proxy && strings.HasPrefix(url, strings.TrimSuffix(value, "/")) && strings.Contains(value, "://") {
				names = append(names, name)
			}
		}
	}
	set := "give the program the address"
	if len(names) > 0 {
		set = "set " + strings.Join(names, ", ")
	}
	what := "no request"
	if others {
		what = "no request to some providers"
		if len(providers) == 1 {
			what = "no request to one provider"
		}
	}
	if late := s.cameLate(); late != "" {
		at = append(at, "but "+late+" came after that had ended")
	}
	return fmt.Sprintf("the session saw %s: %s.\nhint: %s before the program reads it. A constant of a module, or a client that is made when a module is imported, keeps the address that it found then, and asks the real service", what, strings.Join(at, ", "), set)
}
