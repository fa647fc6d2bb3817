package convert

// stream makes the step ask for a stream.
func (s *DraftStep) stream() {
	for _, a := range s.Request {
		if a.Name == "stream" {
			return
		}
	}
	s.Request = append(s.Request, Attr{"stream", true})
}

// judge says of an answer whether it is a failure, whether it may be tried
// again, and whether the request certainly had no effect. It is what the
// default taxonomy and retry policy make of it.
func (e *Entry) judge() (fails, again, refused bool) {
	switch {
	case e.Fault == "" || e.Fault == "partial_response" || e.Fault == "slow_stream" || e.Fault == "delay":
		return false, false, false
	case e.Fault == "http_error":
		status := e.status()
		return true, status == 408 || status == 429 || status >= 500, status == 429 || status == 503
	}
	return true, e.Fault != "malformed_response", e.Fault == "connection_refused"
}

// status is the status of a fault http_error.
func (e *Entry) status() int {
	for _, a := range e.Args {
		if n, ok := a.Value.(int); ok && a.Name == "status_code" {
			return n
		}
	}
	return 500
}
