package bench

// alikeMin is of how many cases one answer to all of them says something of the rubric.
const alikeMin = 3

// WarnAlike adds the warning that all cases passed with one and the same answer, where
// programs gave it: the rubric passes one that does nothing, or always the same. It looks
// at answers up to the first that differs.
func (r *Report) WarnAlike() {
	if len(r.Cases) < alikeMin || r.Passed < len(r.Cases) {
		return
	}
	answer := ""
	for i := range r.Cases {
		for j := range r.Cases[i].Trials {
			kept := r.Cases[i].Trials[j].Look()
			if kept == nil || kept.Output.Bytes > 0 || kept.Output.Text == "" || i+j > 0 && kept.Output.Text != answer {
				return
			}
			answer = kept.Output.Text
		}
	}
	if answer != "" {
		r.warn("all %d cases passed with one and the same answer, so a program that does not look at its case passes: %s. Let the rubric ask for what the answer to a case has to have, or add a case that has to be answered otherwise", len(r.Cases), Shortened(answer))
	}
}
