// Package cassette reads, matches and writes recorded interactions.
//
// A [Cassette] is a file of recordings: ours, which is a superset of go-vcr's
// format version 1 that go-vcr v2 replays unmodified, or one that go-vcr, vcrpy
// or AgentLoom wrote. [Load] tells them apart by what is in them, refuses what
// is provably damaged or may stand for code, and says where. A [Player] answers
// the calls of one run from it as a wire.Source, by step where the file names
// steps and by canonical request otherwise; a call that nothing answers is a
// [*Miss] that names the nearest interaction and how it differs.
//
//	c, err := cassette.Load("cassettes/support.yaml")
//	if err != nil {
//		return err
//	}
//	p, err := cassette.NewPlayer(c, cassette.Options{Scenario: "refund"})
//
// A recorded answer is laid out by the same code as an inline reply, so a
// recorded cut or reset is as real as an injected one. Nothing here reads a
// clock or waits.
package cassette
