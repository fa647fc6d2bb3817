package plan

import (
	"net/http"

	"github.com/hashicorp/hcl/v2"
)

// A ToldWait is a Retry-After that an entry of a script sends, as it is written.
type ToldWait struct {
	Value string
	Rng   hcl.Range
}

// ToldWaits are those of the scripts of the scenario, in their order.
func (h *Handle) ToldWaits() []ToldWait {
	var list []ToldWait
	for _, s := range Inside(h).Scripts {
		for _, e := range s.Entries {
			headers, _ := e.Args["headers"].(map[string]string)
			for name, value := range headers {
				if http.CanonicalHeaderKey(name) == "Retry-After" {
					list = append(list, ToldWait{value, e.Rng})
				}
			}
			if e.Reply != nil {
				if value := e.Reply.Headers.Get("Retry-After"); value != "" {
					list = append(list, ToldWait{value, e.Rng})
				}
			}
		}
	}
	return list
}
