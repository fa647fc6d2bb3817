package wire

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

type answers struct {
	step  string
	err   error
	asked int
}

func (a *answers) Next(context.Context, Call) (WireScript, error) {
	a.asked++
	return WireScript{Meta: Meta{Step: a.step}}, a.err
}

// Shows that the first source that does not pass decides, by a script or by an
// error, and that those after it are not asked: asking consumes.
func TestChain(t *testing.T) {
	broken := errors.New("broken")
	passes := fmt.Errorf("no entry: %w", ErrPass)
	for _, c := range []struct {
		name  string
		errs  []error
		step  string
		err   error
		asked []int
	}{
		{"first answers", []error{nil, nil}, "0", nil, []int{1, 0}},
		{"first passes", []error{passes, nil}, "1", nil, []int{1, 1}},
		{"first fails", []error{broken, nil}, "0", broken, []int{1, 0}},
		{"all pass", []error{passes, ErrPass}, "", ErrPass, []int{1, 1}},
		{"none", nil, "", ErrPass, nil},
	} {
		var chain Chain
		var sources []*answers
		for i, err := range c.errs {
			a := &answers{step: fmt.Sprint(i), err: err}
			chain, sources = append(chain, a), append(sources, a)
		}
		got, err := chain.Next(context.Background(), Call{})
		if got.Meta.Step != c.step || err != c.err {
			t.Errorf("%s: got %q, %v; want %q, %v", c.name, got.Meta.Step, err, c.step, c.err)
		}
		for i, a := range sources {
			if a.asked != c.asked[i] {
				t.Errorf("%s: source %d was asked %d times, want %d", c.name, i, a.asked, c.asked[i])
			}
		}
	}
}
