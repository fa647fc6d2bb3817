// Package words has lists of words that are read when they are first asked for, and what is known of the functions,
// options and exceptions of languages.
package words

import (
	"strings"
	"sync/atomic"
)

// Words are made when they are first asked for, as most commands look at no source.
type Words func() map[string]bool

// Set are the words of a list.
func Set(list string) Words { return (&wordList{list: list}).words }

// A wordList is less than half of what a [sync.OnceValue] is before it is asked for anything, and there are
// dozens of them. Where two ask at one time, both make the same, and one of these is kept.
type wordList struct {
	list string
	all  atomic.Pointer[map[string]bool]
}

func (l *wordList) words() map[string]bool {
	if all := l.all.Load(); all != nil {
		return *all
	}
	all := map[string]bool{}
	for _, w := range strings.Fields(l.list) {
		all[w] = true
	}
	l.all.CompareAndSwap(nil, &all)
	return *l.all.Load()
}

// Pairs are texts with what takes the place of each, made when they are first asked for.
func Pairs(list string) func() map[string]string { return (&pairList{list: list}).pairs }

// A pairList is a wordList for pairs.
type pairList struct {
	list string
	all  atomic.Pointer[map[string]string]
}

func (l *pairList) pairs() map[string]string {
	if all := l.all.Load(); all != nil {
		return *all
	}
	all := map[string]string{}
	for words := strings.Fields(l.list); len(words) > 1; words = words[2:] {
		all[words[0]] = words[1]
	}
	l.all.CompareAndSwap(nil, &all)
	return *l.all.Load()
}
