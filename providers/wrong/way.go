package wrong

// A Way is one in which an answer is wrong.
type Way string

// The ways.
const (
	Half    Way = "half"    // the first half of the content
	Empty   Way = "empty"   // no content
	Retyped Way = "retyped" // a value of another type
)

// Ways are all of them, in the order in which a search tries them.
func Ways() []Way { return []Way{Empty, Half, Retyped} }

// String says what the answer is.
func (w Way) String() string {
	switch w {
	case Half:
		return "half of the answer"
	case Empty:
		return "an empty answer"
	default:
		return "an answer of another type"
	}
}
