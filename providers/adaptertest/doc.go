// Package adaptertest holds every adapter to the same promises: what it renders
// it reads back, a cut answer is never a success, what a request asks is what is
// read of it, and no bytes make it panic or wait for ever. Its own tests try all adapters with every kind of fault and
// with recorded traffic.
//
//	func TestAdapter(t *testing.T) {
//		adaptertest.Run(t, adaptertest.Suite{Adapter: openai.Adapter{}, Replies: replies})
//	}
package adaptertest
