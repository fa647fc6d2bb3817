package convert

import "github.com/scenario-lang/scenario/cassette/redact"

// A hider hides the secrets of a draft: values of header fields and members by
// their names, and what any text shows.
type hider struct{ *redact.Redactor }

func (r hider) draft(d *Draft) {
	d.BaseURL = r.URL(d.BaseURL)
	for _, c := range d.Cases {
		c.Name = r.Text(c.Name)
		for _, s := range c.Steps {
			for i, n := range s.Notes {
				s.Notes[i] = r.Text(n)
			}
			r.attrs(s.Request)
			for _, e := range s.Entries {
				r.attrs(e.Reply)
				r.attrs(e.Args)
			}
		}
	}
}

// attrs hides in place, by the names that credentials have in an object, a
// header or a query.
func (r hider) attrs(list []Attr) {
	for i, a := range list {
		switch v := a.Value.(type) {
		case string:
			list[i].Value = r.attr(a.Name, v)
		case []Attr:
			if a.Name == "query" {
				r.parameters(v)
			}
			r.attrs(v)
		default:
			list[i].Value = r.anyValue(v)
		}
	}
}

func (r hider) attr(name, text string) string {
	switch {
	case name == "path" || name == "url":
		return r.URL(text)
	case r.IsName(name) && text != "" && !redact.IsPlaceholder(text):
		return redact.Placeholder(text)
	}
	return r.Header(name, text)
}

func (r hider) parameters(list []Attr) {
	for i, a := range list {
		if text, ok := a.Value.(string); ok && text != "" && redact.IsSecretParameter(a.Name, text) && !redact.IsPlaceholder(text) {
			list[i].Value = redact.Placeholder(text)
		}
	}
}

func (r hider) anyValue(v any) any {
	switch v := v.(type) {
	case string:
		return r.Text(v)
	case []any:
		for i := range v {
			v[i] = r.anyValue(v[i])
		}
	case []Attr:
		r.attrs(v)
	}
	return v
}

// Hide hides the secrets of blocks, in place.
func Hide(r *redact.Redactor, blocks []*Block) {
	h := hider{r}
	for _, b := range blocks {
		for i, label := range b.Labels {
			b.Labels[i] = h.Text(label)
		}
		for i, n := range b.Notes {
			b.Notes[i] = h.Text(n)
		}
		h.attrs(b.Attrs)
		Hide(r, b.Blocks)
	}
}
