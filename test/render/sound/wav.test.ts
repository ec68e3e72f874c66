import { describe, expect, it } from 'vitest'
import { encodeWav, parseWav } from '../../../lib/render/sound/wav.ts'

const sound = { sampleRate: 22_050, samples: Int16Array.of(0, 1, -1, 32_767, -32_768) }

describe('a WAV file', () => {
  it('survives a round trip', () => {
    expect(parseWav(encodeWav(sound))).toEqual(sound)
  })
  it('may have other chunks, and declare more samples than it has', () => {
    const bytes = Buffer.from(encodeWav(sound))
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')
    const data = bytes.subarray(36)
    data.writeUInt32LE(0xffffffff, 4)
    expect(parseWav(Buffer.concat([bytes.subarray(0, 36), list, data]))).toEqual(sound)
  })
  it.each([
    ['stereo', (bytes: Buffer) => bytes.writeUInt16LE(2, 22)],
    ['24-bit', (bytes: Buffer) => bytes.writeUInt16LE(24, 34)],
    ['not PCM', (bytes: Buffer) => bytes.writeUInt16LE(3, 20)],
    ['something else', (bytes: Buffer) => bytes.write('JUNK', 0)],
    ['without sound', (bytes: Buffer) => bytes.write('junk', 36)],
  ])('is refused if it is %s', (_, change) => {
    const bytes = Buffer.from(encodeWav(sound))
    change(bytes)
    expect(() => parseWav(bytes)).toThrow(RangeError)
  })
})
