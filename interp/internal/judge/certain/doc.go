// Package certain finds what can be evaluated in every run, so that try and can around it
// do nothing.
//
//	condition, some := certain.Without(condition, shapes)
package certain
