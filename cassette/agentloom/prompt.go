package agentloom

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"github.com/scenario-lang/scenario/cassette/internal/python"
)

// A Prompt is a request to a model as AgentLoom hashes one for the key of a
// recorded answer.
type Prompt struct {
	Model       string
	Messages    []Message
	Temperature *float64
	MaxTokens   *int
}

// A Message is one message of a prompt.
type Message struct{ Role, Content string }

// Hashes returns the keys that the request may have: the hex SHA-256 of
// Python's json.dumps with sorted keys. There are two where the temperature is
// an integer, because Python tells 0 from 0.0 and we do not.
func (p Prompt) Hashes() []string {
	var keys []string
	for _, temperature := range p.temperatures() {
		b := []byte(`{"extra": {}, "max_tokens": `)
		if p.MaxTokens == nil {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(*p.MaxTokens), 10)
		}
		b = append(b, `, "messages": [`...)
		for i, m := range p.Messages {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(b, `{"content": `...)
			b = python.AppendString(b, m.Content)
			b = append(b, `, "role": `...)
			b = python.AppendString(b, m.Role)
			b = append(b, '}')
		}
		b = append(b, `], "model": `...)
		b = python.AppendString(b, p.Model)
		b = fmt.Appendf(b, `, "temperature": %s}`, temperature)
		sum := sha256.Sum256(b)
		keys = append(keys, hex.EncodeToString(sum[:]))
	}
	return keys
}

func (p Prompt) temperatures() []string {
	if p.Temperature == nil {
		return []string{"null"}
	}
	t := *p.Temperature
	text, _ := python.FloatText(strconv.FormatFloat(t, 'g', -1, 64))
	if t == math.Trunc(t) && math.Abs(t) < 1e15 {
		return []string{text, strconv.FormatInt(int64(t), 10)}
	}
	return []string{text}
}
