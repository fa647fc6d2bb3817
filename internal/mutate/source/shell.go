package source

func (f *file) shellMutants() {}

func (f *file) shellProbe(int) (Mutant, bool) { return Mutant{}, false }
