import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { pictureSize } from '../../lib/render/picture-size.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

async function picture(name: string, codec: string[]): Promise<Buffer> {
  const place = { directory: temporaryDirectory(), timeoutMs: 30_000 }
  const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=322x74', '-frames:v', '1']
  await runFfmpeg({ ...place, arguments: [...source, ...codec, name] })
  return readFileSync(join(place.directory, name))
}

it.each([
  ['a.png', []],
  ['a.jpg', []],
  ['lossy.webp', ['-c:v', 'libwebp']],
  ['lossless.webp', ['-c:v', 'libwebp', '-lossless', '1']],
])('the size of %s is read from its first bytes', async (name, codec) => {
  const bytes = await picture(name, codec)
  expect(pictureSize(bytes)).toEqual({ width: 322, height: 74 })
  expect(pictureSize(bytes.subarray(0, 10))).toBeUndefined()
})

it('an extended WebP stores its size in another field', () => {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0)
  bytes.write('WEBPVP8X', 8)
  bytes.writeUIntLE(321, 24, 3)
  bytes.writeUIntLE(73, 27, 3)
  expect(pictureSize(bytes)).toEqual({ width: 322, height: 74 })
})

it.each(['', 'GIF89a and more', '<svg xmlns="http://www.w3.org/2000/svg"/>', '\u0089PNG'])(
  '%j is not a picture that can be shown',
  (text) => {
    expect(pictureSize(Buffer.from(text, 'latin1'))).toBeUndefined()
  },
)
