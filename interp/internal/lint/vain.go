package lint

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// vain warns of attributes that another one of the same block leaves without
// effect, as far as both are written out.
func (c *checker) vain() {
	for _, b := range c.file.Body.All("retry") {
		if c.own(b) {
			c.vainRetry(b)
		}
	}
	for _, w := range c.file.Body.All("workflow") {
		if c.own(w) {
			c.vainTimeouts(w)
		}
	}
}

func (c *checker) vainRetry(b *dsl.Block) {
	if n, ok := written(b, "max_retries"); ok && n.RawEquals(cty.Zero) {
		for _, a := range b.Attrs {
			if a.Name != "max_retries" {
				c.warnf(a.NameRange, "Attribute without effect", "retry %q never retries, with max_retries = 0, so %s says nothing. Take it out, or allow a retry.", b.Name(), a.Name)
				return
			}
		}
	}
	if heeds, ok := written(b, "respect_retry_after"); ok && heeds.RawEquals(cty.False) {
		for _, name := range []string{"max_retry_after", "retry_after_cap", "retry_after_jitter"} {
			if a := b.Attr(name); a != nil {
				c.warnf(a.NameRange, "Attribute without effect", "%s is about the wait that a server asks for, and retry %q does not heed it, with respect_retry_after = false. Take one of the two out.", name, b.Name())
				break
			}
		}
	}
	base, given := duration(b, "base")
	if most, ok := duration(b, "max_delay"); ok && given && most < base {
		c.warnf(b.Attr("base").NameRange, "Attribute without effect", "No wait of retry %q is longer than max_delay, which is less than base, so every wait is max_delay. Give base a shorter time, or max_delay a longer one.", b.Name())
	}
}

// vainTimeouts looks at the steps of a workflow or loop.
func (c *checker) vainTimeouts(b *dsl.Block) {
	for _, s := range b.All("step") {
		whole, ok := duration(s, "timeout")
		if one, given := duration(s, "attempt_timeout"); ok && given && one > whole {
			c.warnf(s.Attr("attempt_timeout").NameRange, "Attribute without effect", "No attempt of step %q lasts so long: its timeout ends all of them together sooner. Give attempt_timeout a shorter time than timeout.", s.Name())
		}
		for _, name := range []string{"first_byte_timeout", "idle_timeout"} {
			silence, given := duration(s, name)
			for _, longer := range []string{"attempt_timeout", "timeout"} {
				if limit, ok := duration(s, longer); ok && given && limit <= silence {
					c.warnf(s.Attr(name).NameRange, "Attribute without effect", "No attempt of step %q is silent for so long: its %s ends it sooner. Give %s a shorter time than %s.", s.Name(), longer, name, longer)
					break
				}
			}
		}
		c.vainTimeouts(s)
	}
}

// written is the value of an attribute that is written out.
func written(b *dsl.Block, name string) (cty.Value, bool) {
	a := b.Attr(name)
	if a == nil {
		return cty.NilVal, false
	}
	v, ok := dsl.Literal(a.Expr)
	return v, ok && !v.IsNull()
}

func duration(b *dsl.Block, name string) (time.Duration, bool) {
	v, ok := written(b, name)
	if !ok || v.Type() != cty.String {
		return 0, false
	}
	d, err := dsl.ParseDuration(v.AsString())
	return d, err == nil
}
