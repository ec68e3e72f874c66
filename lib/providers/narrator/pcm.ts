/** 16-bit mono PCM: joining pieces, finding where sound begins, writing a WAV. */

/** Sound louder than this (of 32,767) is speech; the engines' own silence stays below 60. */
const audible = 200

/** The first and last audible sample, as `[first, last + 1]`; `[0, 0]` where all is silent. */
export function audibleRange(samples: Int16Array): [number, number] {
  const isAudible = (sample: number) => Math.abs(sample) > audible
  const first = samples.findIndex(isAudible)
  return first < 0 ? [0, 0] : [first, samples.findLastIndex(isAudible) + 1]
}

export function silence(sampleRate: number, ms: number): Int16Array {
  return new Int16Array(Math.round((sampleRate * ms) / 1000))
}

export function concatSamples(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** A copy of the samples, from an unaligned little-endian buffer. */
export const pcmSamples = (audio: Buffer): Int16Array =>
  new Int16Array(Uint8Array.from(audio).buffer, 0, audio.length >> 1)

/** The 44-byte canonical WAV header, then the samples. */
export function wav(samples: Int16Array, sampleRate: number): Uint8Array {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}
