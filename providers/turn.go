package providers

// Prompt is the text of the user's last message, "" where the user says nothing.
// Text beside the results of tools is not the user's, in whose role some vendors
// have it.
func (in Input) Prompt() string {
	if i := in.lastUser(); i >= 0 {
		return in.Messages[i].Content
	}
	return ""
}

// Turn is the turn of a conversation that a request asks for: one more than the
// assistant has taken since the user's last message. The results of tools begin
// none, whatever their role.
//
// A request that goes on from an answer which the vendor keeps, and in which the
// user says nothing new, counts on from the turn of the request that got it.
// turnOf tells that by the id of the answer, 0 where it does not know; nil knows
// none.
func (in Input) Turn(turnOf func(id string) int) int {
	user := in.lastUser()
	turn := 1
	for _, m := range in.Messages[user+1:] {
		if m.Role == "assistant" {
			turn++
		}
	}
	if user >= 0 || in.Previous == "" {
		return turn
	}
	before := 1 // the answer itself is one
	if turnOf != nil {
		before = max(before, turnOf(in.Previous))
	}
	return before + turn
}

// lastUser is the place of the user's last message, negative for none.
func (in Input) lastUser() int {
	for i := len(in.Messages) - 1; i >= 0; i-- {
		if m := in.Messages[i]; m.Role == "user" && !m.WithResults {
			return i
		}
	}
	return -1
}
