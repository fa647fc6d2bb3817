// Package edits counts the mistakes of typing between two words.
//
//	edits.Between("itmes", "items") // 1
package edits
