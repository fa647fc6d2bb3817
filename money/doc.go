// Package money adds and compares amounts of US dollars exactly. Prices are
// written in decimal, and a sum of them in binary floating point is not the sum a
// reader expects: three answers at 0.1 would exceed a budget of 0.3.
//
//	spent := money.Of(0.1).Plus(money.Of(0.2))
//	spent.Cmp(money.Of(0.3)) // 0
package money
