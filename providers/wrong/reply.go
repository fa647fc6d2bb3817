package wrong

import (
	"errors"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// Why an answer cannot be wrong in a way.
var (
	errNoHalf   = errors.New("the answer has no half")
	errNoBefore = errors.New("there is no answer before")
	errNoType   = errors.New("the answer could have no other type")
)

// Reply are the attributes of a reply of a family of providers that is wrong in a way.
// It is made of the answer that is right; previous is the one before, nil for none. The
// error says why there is no such reply.
func Reply(family string, way Way, right, previous *providers.Output) (schema.Values, error) {
	content := right
	if way == Previous {
		if previous == nil {
			return nil, errNoBefore
		}
		content = previous
	}
	values := around(right)
	var err error
	switch family {
	case "llm":
		err = ofModel(values, way, content)
	case "http":
		err = ofHTTP(values, way, content)
	case "mcp":
		err = ofServer(values, way, content)
	case "sql":
		err = ofDatabase(values, way, content)
	}
	return values, err
}

// around is what of an answer is not its content: when it comes, and what it costs.
func around(out *providers.Output) schema.Values {
	v := schema.Values{}
	if out.Latency > 0 {
		v["latency"] = out.Latency
	}
	if out.ChunkDelay > 0 {
		v["chunk_delay"] = out.ChunkDelay
	}
	if out.CostUSD != 0 {
		v["cost_usd"] = out.CostUSD
	}
	return v
}
