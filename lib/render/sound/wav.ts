/** Reads and writes 16-bit mono PCM in RIFF/WAVE, the format of narrations. */

export interface PcmSound {
  sampleRate: number
  samples: Int16Array
}

/** Throws a RangeError for anything but 16-bit mono PCM. A data chunk that is longer than the file is truncated. */
export function parseWav(bytes: Uint8Array): PcmSound {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const name = (offset: number) => Buffer.from(bytes.subarray(offset, offset + 4)).toString('latin1')
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
  const bytes = Buffer.alloc(44 + 2 * samples.length)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(36 + 2 * samples.length, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(2 * sampleRate, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(2 * samples.length, 40)
  for (let i = 0; i < samples.length; i++) bytes.writeInt16LE(samples[i]!, 44 + 2 * i)
  return bytes
}
