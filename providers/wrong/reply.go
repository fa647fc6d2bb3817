package wrong

import (
	"errors"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// Why an answer cannot be wrong in a way.
var (
	errNoHalf = errors.New("the answer has no half")
	errNoType = errors.New("the answer could have no other type")
	// errList says that a fault cuts the list, and empties it.
	errList = errors.New("the answer is a list, which the fault truncated_list cuts")
)

// Reply are the attributes of a reply of a family of providers that is wrong in a way.
// It is made of the answer that is right. The error says why there is no such reply:
// there may be a fault that has the answer so.
func Reply(family string, way Way, right *providers.Output) (schema.Values, error) {
	values := around(right)
	var err error
	switch family {
	case "llm":
		err = ofModel(values, way, right)
	case "http":
		err = ofHTTP(values, way, right)
	case "mcp":
		err = ofServer(values, way, right)
	case "sql":
		err = ofDatabase(values, way, right)
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
