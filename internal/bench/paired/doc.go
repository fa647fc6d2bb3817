// Package paired says whether one of two programs is slower than the other, and
// when measurements are too noisy to say so. What is compared are the ratios of
// pairs that were measured one right after the other, so that a machine which
// slows down slows both.
//
//	interval := paired.Of(paired.Ratios(after, before))
//	if paired.Judge(interval, 0.1) == paired.Slower {
//		fail()
//	}
//
// Nothing here looks at a clock, and the same samples always give the same
// answer.
package paired
