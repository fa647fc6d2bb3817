package trace

// Status is how the run ended, "" for one that did not: its end is the last one
// in the trace.
func Status(events []Event) string {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Type == RunEnd {
			return events[i].Text("status")
		}
	}
	return ""
}
