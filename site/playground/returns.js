// withReturns is the module that internal/build/returns.go packed: its length in four bytes,
// little-endian, and its bytes with the address that each call returns to as the distance
// from the one before.
"use strict";

function withReturns(packed) {
  const module = new Uint8Array(new DataView(packed.buffer, packed.byteOffset).getUint32(0, true));
  let written = 0, copied = 4, address = 0;
  for (let at = 4; at < packed.length; at++) {
    if (packed[at] !== 0x20 || packed[at + 1] !== 0x01 || packed[at + 2] !== 0x42) continue;
    let distance = 0, scale = 1, i = at + 3, byte;
    do {
      byte = packed[i++];
      distance += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80 && i < at + 10);
    if (byte >= 0x80 || packed[i] !== 0x37 || packed[i + 1] !== 0x03 || packed[i + 2] !== 0x00) continue;
    if (byte & 0x40) distance -= scale;
    address += distance;
    module.set(packed.subarray(copied, at + 3), written);
    written += at + 3 - copied;
    for (let n = address; ; ) {
      const low = ((n % 128) + 128) % 128;
      n = Math.floor(n / 128);
      if ((n === 0 && low < 0x40) || (n === -1 && low >= 0x40)) {
        module[written++] = low;
        break;
      }
      module[written++] = low | 0x80;
    }
    copied = i;
    at = i + 2;
  }
  module.set(packed.subarray(copied), written);
  return module;
}
