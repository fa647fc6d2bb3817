package lie

import "github.com/scenario-lang/scenario/schema"

// StaleResponse is what the same place was answered before.
var StaleResponse = &Lie{
	Name:       "stale_response",
	Summary:    "The answer that the same step or endpoint had before, well-formed and out of date, as from a cache that nobody emptied. Without an answer before nothing is stale, and the fault has not fired; one without a `reply` has an example then.",
	AlsoCalled: []string{"stale", "stale_answer", "stale_cache", "cached_response"},
	For:        everywhere,
	Recalls:    Here,
	Without:    "nothing was answered here before that could be stale",
	Words:      "This answer is from before.",
	Tried:      []schema.Values{{}},
}
