/** Reads and writes 16-bit mono PCM in RIFF/WAVE, the format of narrations. */
import { latin1 } from '../latin1.ts'

export interface PcmSound {
  sampleRate: number
  samples: Int16Array
}

/** Throws a RangeError for anything but 16-bit mono PCM. A data chunk that is longer than the file is truncated. */
export function parseWav(bytes: Uint8Array): PcmSound {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const name = (offset: number) => latin1(bytes.subarray(offset, offset + 4))
  if (bytes.length < 12 || name(0) !== 'RIFF' || name(8) !== 'WAVE')
    throw new RangeError('The narration is not a WAV file')
  let sampleRate = 0
  for (let chunk = 12; chunk + 8 <= bytes.length; ) {
    const length = view.getUint32(chunk + 4, true)
    const start = chunk + 8
    if (name(chunk) === 'fmt ' && start + 16 <= bytes.length) {
      const [format, channels] = [view.getUint16(start, true), view.getUint16(start + 2, true)]
      const bits = view.getUint16(start + 14, true)
      if (format !== 1 || channels !== 1 || bits !== 16) {
        throw new RangeError(
          `The narration must be 16-bit mono PCM, not format ${format}, ${channels} channels, ${bits} bits`,
        )
      }
      sampleRate = view.getUint32(start + 4, true)
    }
    if (name(chunk) === 'data' && sampleRate > 0) {
      const samples = new Int16Array(Math.min(length, bytes.length - start) >> 1)
      // A plain loop: `from` with a function takes five times as long.
      for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(start + 2 * i, true)
      return { sampleRate, samples }
    }
    // Chunks start at even offsets.
    chunk = start + length + (length % 2)
  }
  throw new RangeError('The narration contains no sound')
}

/** The part of a sound between two times. */
export function sliceSound({ samples, sampleRate }: PcmSound, startMs: number, endMs: number): PcmSound {
  const sample = (ms: number) => Math.round((ms * sampleRate) / 1000)
  return { sampleRate, samples: samples.subarray(sample(startMs), sample(endMs)) }
}

export function encodeWav({ sampleRate, samples }: PcmSound): Uint8Array {
  const bytes = new Uint8Array(44 + 2 * samples.length)
  const view = new DataView(bytes.buffer)
  const name = (offset: number, text: string) => bytes.set(new TextEncoder().encode(text), offset)
  name(0, 'RIFF')
  view.setUint32(4, 36 + 2 * samples.length, true)
  name(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, 2 * sampleRate, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  name(36, 'data')
  view.setUint32(40, 2 * samples.length, true)
  for (let i = 0; i < samples.length; i++) view.setInt16(44 + 2 * i, samples[i]!, true)
  return bytes
}
