package lie

import "github.com/scenario-lang/scenario/schema"

// SwappedResponse is what another place was answered.
var SwappedResponse = &Lie{
	Name:       "swapped_response",
	Summary:    "The answer to another call, well-formed and addressed to this one, as from a connection that two requests share: the last that another step, endpoint or lane of the same family had. Without one the fault has not fired; one without a `reply` has an example then.",
	AlsoCalled: []string{"swapped", "swapped_answer", "crossed_responses", "mixed_up"},
	For:        everywhere,
	Attrs: []schema.Attr{
		{Name: "of", Type: schema.String, Addresses: true, Doc: "The address whose last answer it is. Default: of whichever was answered last."},
	},
	Recalls: Elsewhere,
	Without: "no other call was answered whose answer could come here",
	Words:   "This answer is to another call.",
	Tried:   []schema.Values{{}},
}
