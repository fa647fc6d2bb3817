package otlp

// asSent is what a program sent in the place of attributes in which something is hidden, nil where
// nothing is. A question is asked of both, so that one for a secret finds it; an answer never has
// it.
type asSent map[string]any

// attributes are attributes as they may be shown, and as they were sent.
func (h *hider) attributes(o map[string]any) (shown map[string]any, plain asSent) {
	shown = h.object(o)
	for key, v := range o {
		switch v.(type) {
		case string, int64, float64:
			if got, kept := shown[key]; !kept || got != v {
				return shown, o
			}
		}
	}
	return shown, nil
}

// fits reports whether attributes have these values, as they are shown or as they were sent.
func (s asSent) fits(shown, want map[string]any) bool {
	for key, want := range want {
		got, has := shown[key]
		plain, had := s[key]
		if !(has && same(got, want)) && !(had && same(plain, want)) {
			return false
		}
	}
	return true
}
