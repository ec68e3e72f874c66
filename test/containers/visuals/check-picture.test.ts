/**
 * Whether pictures are checked correctly before they are stored: pictures and clips made by ffmpeg, and other files.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { checkPicture } from '../../../containers/media/visuals/check-picture.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { readPortrait } from '../../../lib/providers/avatars/read-portrait.ts'
import { normaliseClip } from '../../../lib/providers/footage/normalise-clip.ts'
import { builtInImages } from '../../../lib/providers/images/built-in.ts'
import { stillAsJpeg } from '../../../lib/providers/images/still.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'

const directory = temporaryDirectoryOfFile()

/** The output of an ffmpeg filter: a still or a clip of two seconds. */
async function made(source: string, name: string): Promise<Uint8Array> {
  const length = name.endsWith('.mp4') ? ['-t', '2', '-pix_fmt', 'yuv420p', '-g', '30'] : ['-frames:v', '1']
  const drawn = ['-v', 'error', '-f', 'lavfi', '-i', source, ...length, '-y', name]
  await runFfmpeg({ directory, timeoutMs: 20_000, arguments: drawn })
  return readFileSync(join(directory, name))
}

const drawnPicture = async () =>
  (await builtInImages.draw({ prompt: '', keywords: [], mood: null, width: 64, height: 64, seed: 'look' })).bytes

/** A filter that makes part of the time black. */
const black = (when: string) => `drawbox=w=iw:h=ih:color=black:t=fill:enable='${when}'`

const isEmpty = async (bytes: Uint8Array) => (await checkPicture(bytes, directory)).some(({ passed }) => !passed)

describe('the picture check', () => {
  it.each([
    ['a pattern', 'testsrc=size=320x180', 'a.png'],
    ['a pattern as JPEG', 'testsrc=size=320x180', 'a.jpg'],
    ['a moving pattern', 'testsrc=size=320x180', 'a.mp4'],
    ['a clip that fades in from black', 'testsrc=size=320x180,fade=in:0:45,trim=0:2', 'b.mp4'],
    ['a clip of one frame', 'testsrc=size=320x180:duration=0.04', 'l.mp4'],
    ['a clip that is black for a while', `testsrc=size=320x180,${black('lt(t,0.8)')}`, 'g.mp4'],
    [
      'a small moon at night',
      'color=0x101018:size=1080x1920,drawbox=x=541:y=960:w=20:h=20:color=white:t=fill',
      'h.png',
    ],
    ['a thin stroke on white', 'color=white:size=1080x1920,drawbox=x=518:y=700:w=8:h=500:color=black:t=fill', 'i.png'],
  ])('accepts %s', async (_, source, name) => {
    expect(await isEmpty(await made(source, name))).toBe(false)
  })

  it.each([
    ['a black picture', 'color=black:size=320x180', 'c.png'],
    ['a grey one', 'color=gray:size=320x180', 'd.jpg'],
    ['a black clip', 'color=black:size=320x180', 'e.mp4'],
    ['a clip that is black after its first moment', `testsrc=size=320x180,${black('gt(t,0.1)')}`, 'j.mp4'],
    ['a clip that is black for most of its time', `testsrc=size=320x180,${black('gt(t,0.6)')}`, 'k.mp4'],
  ])('rejects %s as empty', async (_, source, name) => {
    expect(await isEmpty(await made(source, name))).toBe(true)
  })

  it('rejects a file that is not a picture, or only the beginning of one', async () => {
    expect(await isEmpty(Buffer.from('<html>We are busy.</html>'))).toBe(true)
    expect(await isEmpty((await made('testsrc=size=320x180', 'f.png')).subarray(0, 60))).toBe(true)
  })

  it('has no verdict if ffmpeg was killed: the picture may be good', async () => {
    const seen = await made('testsrc=size=320x180', 'g.mp4')
    const killed = join(directory, 'killed-ffmpeg')
    writeFileSync(killed, '#!/bin/sh\nkill -9 $$\n')
    chmodSync(killed, 0o755)
    vi.stubEnv('FFMPEG', killed)
    const clip = { width: 320, height: 180, durationMs: 500 }
    const place = { directory, from: 'Acme', maySlowDown: false }
    await expect(checkPicture(seen, directory)).rejects.toMatchObject({ name: 'FfmpegFailure' })
    await expect(normaliseClip(seen, clip, place)).rejects.toMatchObject({ name: 'FfmpegFailure' })
    await expect(stillAsJpeg(await drawnPicture(), clip, { directory })).rejects.toMatchObject({
      name: 'FfmpegFailure',
    })
    await expect(readPortrait(await drawnPicture(), directory)).rejects.toMatchObject({ name: 'FfmpegFailure' })
    vi.unstubAllEnvs()
  })

  it('accepts what the service draws itself, dark or bright', async () => {
    const size = { width: 320, height: 568, seed: 'look' }
    for (const [prompt, mood] of [
      ['stars at night', 'dark'],
      ['fog on white snow', 'calm'],
      ['', null],
    ] as const) {
      const { bytes } = await builtInImages.draw({ prompt, keywords: prompt.split(' '), mood, ...size })
      expect(await isEmpty(bytes)).toBe(false)
    }
  })
})
