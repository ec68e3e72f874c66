import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { putObject, readRange } from '../../lib/aws/media-bucket.ts'

const bytes = randomBytes(300_000)
const key = `wsp_range/vid_range/renders/${randomBytes(16).toString('hex')}.mp4`
const patienceMs = 10_000

const read = async (from: number, to: number) =>
  Buffer.concat(await Array.fromAsync(readRange(key, from, to, patienceMs)))

describe('a range of an object', () => {
  it('has exactly the requested bytes', async () => {
    await putObject(key, bytes, 'video/mp4')
    for (const [from, to] of [
      [0, bytes.length],
      [0, 2],
      [100_000, 250_001],
      [bytes.length - 1, bytes.length],
    ] as const)
      expect(await read(from, to)).toEqual(bytes.subarray(from, to))
  })

  it('is never shorter than announced: an object with fewer bytes is an error', async () => {
    await putObject(key, bytes, 'video/mp4')
    await expect(read(200_000, bytes.length + 1)).rejects.toThrow('does not have the bytes')
  })

  it('is not read to its end when the reader stops', async () => {
    await putObject(key, bytes, 'video/mp4')
    for await (const piece of readRange(key, 0, bytes.length, patienceMs)) {
      expect(piece).toEqual(bytes.subarray(0, piece.length))
      break
    }
    expect(await read(0, 10)).toEqual(bytes.subarray(0, 10))
  })

  it('of a missing object is an error', async () => {
    await expect(Array.fromAsync(readRange(`${key}.gone`, 0, 10, patienceMs))).rejects.toThrow()
  })
})
