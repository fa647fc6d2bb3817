package interp

import "testing"

// Shows that the script of an endpoint may have faults for streams, which a request for
// no stream passes over, and that the next one for a stream meets.
func TestFaultsForStreams(t *testing.T) {
	d := drivenBy(t, `provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    fault "stream_truncate" {
      after_chunks = 1
      reply { chunks = ["a", "b"] }
    }
    reply {
      content = "yes"
      times   = 2
    }
  }
  assert "who met it" {
    condition = [for a in endpoint.llm.attempts : a.fault == null ? "none" : a.fault] == ["none", "stream_truncate", "none"]
  }
}
`)
	d.asks(chatURL, chatOf("a")).End(false)
	d.asks(chatURL, `{"stream": true, `+chatOf("b")[1:]).End(false)
	d.asks(chatURL, chatOf("c")).End(false)
	if r, _ := d.run.Finish(""); r.Verdict != Pass {
		t.Errorf("%v", r.Problems)
	}
}
