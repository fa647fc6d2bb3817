// Package words has lists of words that are read when they are first asked for, and what is known of the functions,
// options and exceptions of languages.
package words

import (
	"strings"
	"sync"
)

// Words are made when they are first asked for, as most commands look at no source.
type Words func() map[string]bool

// Set are the words of a list.
func Set(list string) Words { return (&wordList{list: list}).words }

// A wordList is less than half of what a [sync.OnceValue] is before it is asked for anything, and there are
// dozens of them.
type wordList struct {
	list string
	once sync.Once
	all  map[string]bool
}

func (l *wordList) words() map[string]bool {
	l.once.Do(func() {
		l.all = map[string]bool{}
		for _, w := range strings.Fields(l.list) {
			l.all[w] = true
		}
	})
	return l.all
}

// Pairs are texts with what takes the place of each, made when they are first asked for.
func Pairs(list string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for words := strings.Fields(list); len(words) > 1; words = words[2:] {
			all[words[0]] = words[1]
		}
		return all
	})
}
