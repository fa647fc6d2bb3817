package paired

// A Verdict is what the ratios of two programs show.
type Verdict string

// The verdicts. Only Slower is bad news, and Noisy is none.
const (
	Slower Verdict = "slower"
	Faster Verdict = "faster"
	Same   Verdict = "same"
	Noisy  Verdict = "too noisy"
)

// Judge says what an interval of ratios, of costs after to costs before, shows
// about a change of so much: 0.1 is one of ten percent. A ratio counts as
// changed from half of that, so that a change of just so much is found on either
// side of its noise. Noise beyond that half makes the verdict Noisy, except for
// a change that is larger than the noise itself.
func Judge(i Interval, change float64) Verdict {
	bound := max(change/2, i.Noise())
	switch {
	case i.Low > 1+bound:
		return Slower
	case i.High < 1/(1+bound):
		return Faster
	case i.Noise() > change/2:
		return Noisy
	}
	return Same
}

// Enough reports whether more pairs would not change the verdict, or not for the
// better.
func Enough(i Interval, change float64) bool { return i.Noise() <= change/2 }
