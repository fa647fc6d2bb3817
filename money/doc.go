// Package money adds and compares amounts of US dollars exactly. Prices are
// written in decimal, and a sum of them in binary floating point is not the sum
// that the reader expects: three answers of 0.1 would break a budget of 0.3.
//
//	spent := money.Of(0.1).Plus(money.Of(0.2))
//	spent.Cmp(money.Of(0.3)) // 0
package money
