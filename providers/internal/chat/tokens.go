package chat

// Tokens is a count that an answer may leave out.
func Tokens(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
