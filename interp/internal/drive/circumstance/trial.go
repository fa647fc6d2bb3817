package circumstance

// A Trial is something that a scenario means to show of its program, and whether a run puts it to the test.
type Trial struct {
	// Of names it within a file: what one scenario of the file puts to the test is told of in no other.
	Of string
	// Made says that the run puts it to the test.
	Made bool
	// Why is what there is to say where it does not; "" for nothing.
	Why string
}
