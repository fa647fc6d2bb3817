package bench

// WarnExchanged adds the warning that all cases passed, and each answer would have passed as that of
// another case, too: so would one that has all that any case asks for.
func (r *Report) WarnExchanged() {
	if len(r.Cases) < alikeMin || r.Passed < len(r.Cases) {
		return
	}
	for i := range r.Cases {
		for j := range r.Cases[i].Trials {
			if !r.Cases[i].Trials[j].Exchanged {
				return
			}
		}
	}
	r.warn("all %d cases passed, and each answer also passes with what another case asks for, so the rubric does not tell them apart: one that has every answer in it passes. Let it compare the answer itself, such as trimspace(output.stdout) == case.input.expected, or look for it in the part of the output that has it", len(r.Cases))
}
