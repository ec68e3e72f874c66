/**
 * SHA-256 (FIPS 180-4) without a platform, for seeds: what is derived from them must be the same in Node and in a
 * browser, whose own digest is asynchronous. For anything larger than a seed use the digest of the platform.
 */

/** The first 32 bits of the fractional parts of the roots of the first primes. */
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32)
/** Up to 311: 64. */
const primes = Array.from({ length: 310 }, (_, number) => number + 2).filter((number, _, all) =>
  all.every((other) => other >= number || number % other !== 0),
)
const initialState = primes.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)))
const roundConstants = primes.map((prime) => fraction(Math.cbrt(prime)))

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** The digest of a text in UTF-8. */
export function sha256(text: string): Uint8Array<ArrayBuffer> {
  const blocks = paddedBlocks(new TextEncoder().encode(text))
  const state = Uint32Array.from(initialState)
  const schedule = new Uint32Array(64)
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(at + 4 * i)
    for (let i = 16; i < 64; i++) {
      const [early, late] = [schedule[i - 15]!, schedule[i - 2]!]
      const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
      const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
      schedule[i] = schedule[i - 16]! + low + schedule[i - 7]! + high
    }
    compress(state, schedule)
  }
  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  for (const [index, word] of state.entries()) view.setUint32(4 * index, word)
  return digest
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = [...state] as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const added = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + roundConstants[i]! + schedule[i]!
    const mixed = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + added) | 0, c, b, a, (added + mixed) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = state[index]! + word
}

/** The bytes, a one bit, zeros and the length in bits, in blocks of 64 bytes. */
function paddedBlocks(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64))
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(8 * bytes.length))
  return view
}
