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

// Of a change that is looked for, so much counts as changed, and with less than so much
// of it something is the same. An interval of a program that costs exactly the change
// more may end below that change now and then; below three quarters of it hardly ever.
const (
	changedFrom = 0.5
	sameBelow   = 0.75
)

// Judge says what an interval of ratios, of costs after to costs before, shows
// about a change of so much: 0.1 is one of ten percent. It is Slower or Faster
// where all of the interval is beyond half of the change, and beyond its own noise;
// Same where the noise is at most half of the change and all of the interval is
// within three quarters of it. Otherwise it is Noisy: then both may be true.
func Judge(i Interval, change float64) Verdict {
	near, far := change*changedFrom, 1+change*sameBelow
	bound := 1 + max(near, i.Noise())
	switch {
	case i.Low > bound:
		return Slower
	case i.High < 1/bound:
		return Faster
	case i.Noise() <= near && 1/far < i.Low && i.High < far:
		return Same
	}
	return Noisy
}

// Enough reports whether an interval has a verdict, so that more pairs are not needed.
func Enough(i Interval, change float64) bool { return Judge(i, change) != Noisy }
