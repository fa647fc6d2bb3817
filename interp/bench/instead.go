package bench

import (
	"fmt"
	"slices"
)

// Refusal is an answer that answers nothing, which is put in the place of one that passed.
const Refusal = "I cannot say."

// Instead says what else a rubric passes in the place of an answer that it passes.
type Instead struct {
	// Refusal says that it passes [Refusal], and so does any text that answers nothing.
	Refusal bool `json:"refusal,omitempty"`
	// Asked says that it passes the longest text of the case that was asked.
	Asked bool `json:"asked,omitempty"`
	// Numbers says that it passes the answer with other numbers, and Told that it does not;
	// neither is so where the answer or what the case expects has no number.
	Numbers bool `json:"numbers,omitempty"`
	Told    bool `json:"numbers_told,omitempty"`
}

// values are the parts that are so, as results and files name them.
func (i Instead) values() map[string]any {
	values := map[string]any{}
	for name, is := range map[string]bool{"refusal": i.Refusal, "asked": i.Asked, "numbers": i.Numbers, "numbers_told": i.Told} {
		if is {
			values[name] = true
		}
	}
	return values
}

// WarnInstead adds the warnings that most cases which passed, three or more, pass as well with a text
// in the place of the answer that answers nothing, or that was asked; or all with other numbers in it.
// Where a gate failed it adds nothing.
func (r *Report) WarnInstead() {
	if r.Passed < alikeMin || slices.ContainsFunc(r.Gates, func(g GateResult) bool { return !g.Passed }) {
		return
	}
	refusals, asked, numbers, told := 0, 0, 0, 0
	for i := range r.Cases {
		c := &r.Cases[i]
		if !c.Passed {
			continue
		}
		all := func(is func(Instead) bool) int {
			if slices.ContainsFunc(c.Trials, func(t Trial) bool { return !is(t.Instead) }) {
				return 0
			}
			return 1
		}
		refusals += all(func(i Instead) bool { return i.Refusal })
		asked += all(func(i Instead) bool { return i.Asked })
		numbers += all(func(i Instead) bool { return i.Numbers })
		told += 1 - all(func(i Instead) bool { return !i.Told })
	}
	of := fmt.Sprintf("%%d of %d cases that passed", r.Passed)
	switch {
	case 2*refusals > r.Passed:
		r.warn(of+" also pass with %q in the place of the answer, so a program that answers nothing passes. Let the rubric also ask for what the answer has to have, such as word(output.answer, case.input.expected)", refusals, Refusal)
	case 2*asked > r.Passed:
		r.warn(of+" also pass with the text that was asked in the place of the answer, so the rubric finds what it looks for in the question, and a program that repeats it passes, whatever it answers. Compare the answer itself, such as trimspace(output.answer) == case.input.expected, have the program give it in a member of its own, or let the rubric rule out the wrong answers", asked)
	}
	if numbers >= alikeMin && told == 0 {
		r.warn(of+" also pass with another number in the place of each in the answer, so a wrong sum or day passes: how similar two texts are says little of a number in them. Let the rubric also compare the number, such as word(output.answer, case.input.amount), or approx(output.amount, case.input.amount, 0.001)", numbers)
	}
}
