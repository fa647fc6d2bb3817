package interp

// stackRoom is what a step needs of its stack: policies, an adapter and parsers
// call each other in some thirty levels.
const stackRoom = 20 << 10

// deepen grows the stack of a task while there is next to nothing on it. On the
// way down it would grow again and again, and be copied every time with all that
// has been called so far, which costs more than a call's own waits.
//
//go:noinline
func deepen(at int) byte {
	var room [stackRoom]byte
	room[at%stackRoom] = 1
	return room[0]
}
