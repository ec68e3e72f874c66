/** Whether a picture is looked at rightly before it is kept: pictures and clips made by ffmpeg, and what is neither. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lookAt } from '../../containers/render/look-at.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { drawnImages } from '../../lib/providers/images/drawn.ts'

const directory = mkdtempSync(join(tmpdir(), 'look-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** What ffmpeg makes of a filter: a still or a clip of two seconds. */
async function made(source: string, name: string): Promise<Uint8Array> {
  const length = name.endsWith('.mp4') ? ['-t', '2', '-pix_fmt', 'yuv420p', '-g', '30'] : ['-frames:v', '1']
  const drawn = ['-v', 'error', '-f', 'lavfi', '-i', source, ...length, '-y', name]
  await runFfmpeg({ directory, timeoutMs: 20_000, arguments: drawn })
  return readFileSync(join(directory, name))
}

const isEmpty = async (bytes: Uint8Array) => (await lookAt(bytes, directory)).some(({ passed }) => !passed)

describe('a look at a picture', () => {
  it.each([
    ['a pattern', 'testsrc=size=320x180', 'a.png'],
    ['a pattern as JPEG', 'testsrc=size=320x180', 'a.jpg'],
    ['a moving pattern', 'testsrc=size=320x180', 'a.mp4'],
    ['a clip that fades in from black', 'testsrc=size=320x180,fade=in:0:45,trim=0:2', 'b.mp4'],
  ])('sees %s', async (_, source, name) => {
    expect(await isEmpty(await made(source, name))).toBe(false)
  })

  it.each([
    ['a black picture', 'color=black:size=320x180', 'c.png'],
    ['a grey one', 'color=gray:size=320x180', 'd.jpg'],
    ['a black clip', 'color=black:size=320x180', 'e.mp4'],
  ])('sees nothing in %s', async (_, source, name) => {
    expect(await isEmpty(await made(source, name))).toBe(true)
  })

  it('sees nothing in what is no picture, or only the beginning of one', async () => {
    expect(await isEmpty(Buffer.from('<html>We are busy.</html>'))).toBe(true)
    expect(await isEmpty((await made('testsrc=size=320x180', 'f.png')).subarray(0, 60))).toBe(true)
  })

  it('sees what the service draws by itself, dark or bright', async () => {
    const size = { width: 320, height: 568, seed: 'look' }
    for (const [prompt, mood] of [
      ['stars at night', 'dark'],
      ['fog on white snow', 'calm'],
      ['', null],
    ] as const) {
      const { bytes } = await drawnImages.draw({ prompt, keywords: prompt.split(' '), mood, ...size })
      expect(await isEmpty(bytes)).toBe(false)
    }
  })
})
