package drive

import (
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/event"
)

// Shows what of a request that a server took, and of its answer, may name a thing that is there: each value, and
// where the answer says that it is.
func TestValuesOfWhatWasTaken(t *testing.T) {
	v := values{}
	v.add(&ServerAnswer{Parts: []circumstance.Part{{Name: "the member id", Value: "o-1"}}},
		&event.AttemptEnd{Content: `{"orders":[{"id":8}]}`, Headers: event.Headers{"Location": "/orders/o-9"}})
	for _, want := range []string{"o-1", "8", "o-9"} {
		if !v[want] {
			t.Errorf("%s is not known: %v", want, v)
		}
	}
}
