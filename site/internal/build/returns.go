package build

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Go's WebAssembly writes before each call where it returns to: local.get 1, i64.const
// and the address, i64.store 0. Addresses rise from call to call, so each is another
// number to what compresses, and a call costs two bytes more than it says. As distances
// nearly all of them are 1.
var (
	beforeReturn = []byte{0x20, 0x01, 0x42}
	afterReturn  = []byte{0x37, 0x03, 0x00}
)

// distances is a module for playground/returns.js: its length in four bytes, little-endian,
// and its bytes with each return address as the distance from the one before.
func distances(module []byte) ([]byte, error) {
	packed := append(binary.LittleEndian.AppendUint32(nil, uint32(len(module))), rewritten(module, func(at, before int64) (int64, int64) { return at - before, at })...)
	if !bytes.Equal(restored(packed), module) {
		return nil, errors.New("a return address of the engine is not written as Go writes it: its distances cannot be read back")
	}
	return packed, nil
}

// restored is what playground/returns.js makes of distances.
func restored(packed []byte) []byte {
	return rewritten(packed[4:], func(distance, before int64) (int64, int64) { return before + distance, before + distance })
}

// rewritten replaces each return address, which becomes the first result of f, by what the
// second was at the one before.
func rewritten(module []byte, f func(n, before int64) (n2, next int64)) []byte {
	out := make([]byte, 0, len(module)+len(module)/8)
	var before int64
	for {
		at := bytes.Index(module, beforeReturn)
		if at < 0 {
			return append(out, module...)
		}
		i := at + len(beforeReturn)
		n, size := signed(module[i:])
		if size == 0 || !bytes.HasPrefix(module[i+size:], afterReturn) {
			out, module = append(out, module[:at+1]...), module[at+1:] // another may begin within it
			continue
		}
		out = append(out, module[:i]...)
		n, before = f(n, before)
		out = append(appendSigned(out, n), afterReturn...)
		module = module[i+size+len(afterReturn):]
	}
}

// signed reads a number in LEB128 (WebAssembly, 5.2.2) of at most 49 bits, and returns its
// size, 0 for none.
func signed(text []byte) (n int64, size int) {
	for i, b := range text[:min(7, len(text))] {
		n |= int64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if b&0x40 != 0 {
				n -= 1 << (7 * (i + 1))
			}
			return n, i + 1
		}
	}
	return 0, 0
}

func appendSigned(out []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
