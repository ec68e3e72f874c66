/** Operations on 16-bit mono PCM: concatenation, silence, detection of audible sound. */

/** Amplitude (of 32,767) above which sound is speech; the silence of the engines stays below 60. */
const audible = 200

/** The range of audible samples, its end excluded; `[0, 0]` in silence. */
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
