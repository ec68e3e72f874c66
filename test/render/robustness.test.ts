/** However a render ends, it says so by a code, at once, and leaves no process behind. */
import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RenderRequest, renderVideo } from '../../containers/render/render.ts'
import { findFfmpeg } from '../../lib/ffmpeg/binary.ts'
import { composition, makeMedia, newDirectory, page, shot } from './support.ts'

let files: Map<string, string>
beforeAll(async () => {
  files = await makeMedia()
})
afterEach(() => vi.unstubAllEnvs())

const film = composition({
  durationMs: 60_000,
  shots: [shot('picture', 0, 30_000), shot('clip', 30_000, 60_000, 'clip')],
  pages: [page('some words', 0)],
})
const short = composition({ durationMs: 1_000, shots: [shot('picture', 0, 1_000)], pages: [page('some words', 0)] })

const render = (changes: Partial<RenderRequest> = {}) =>
  renderVideo({
    composition: film,
    files,
    directory: newDirectory(),
    onProgress: () => {},
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    ...changes,
  })

/** An ffmpeg that hangs where its arguments hold this word, and is the real one everywhere else. */
function hangingAt(word: string): void {
  const script = join(newDirectory(), 'ffmpeg')
  writeFileSync(
    script,
    `#!/bin/sh\ncase " $* " in *" ${word} "*) exec /bin/sleep 60;; esac\nexec '${findFfmpeg()}' "$@"\n`,
  )
  chmodSync(script, 0o755)
  vi.stubEnv('FFMPEG', script)
}

const isLinux = process.platform === 'linux'

/** Names of our running children, from Linux' /proc; none elsewhere. */
function children(): string[] {
  if (!isLinux) return []
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const [, name, state, parent] = /\((.*)\) (\w) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return state !== 'Z' && Number(parent) === process.pid ? [name!] : []
    } catch {
      // Not a process, or one that ended while we looked.
      return []
    }
  })
}
const renderers = () => children().filter((name) => ['ffmpeg', 'sleep', 'prlimit'].includes(name))

describe('a render', () => {
  it.each([
    ['while captions are prepared', '-vf'],
    ['while segments are encoded', 'libx264'],
    ['while the sound is encoded', 'aac'],
    ['while the film is joined', 'concat'],
  ])('cancelled: ends within a second %s, also where ffmpeg hangs', async (_, word) => {
    hangingAt(word)
    const cancel = new AbortController()
    const rendering = render({ composition: short, signal: cancel.signal })
    const failed = expect(rendering).rejects.toMatchObject({ code: 'cancelled' })
    await vi.waitUntil(() => !isLinux || children().includes('sleep'), { timeout: 30_000 })
    const cancelledAt = performance.now()
    cancel.abort()
    await failed
    // A second is what it takes at most on a machine that is not busy with other tests.
    expect(performance.now() - cancelledAt).toBeLessThan(4_000)
    expect(renderers()).toEqual([])
  })

  it.each(['-vf', 'libx264', 'concat'])('stalled: is ended where ffmpeg hangs at %s', async (word) => {
    hangingAt(word)
    await expect(render({ composition: short, stallMs: 3_000 })).rejects.toMatchObject({ code: 'stalled' })
    expect(renderers()).toEqual([])
  })

  it('timeout: is ended when its time is over, whatever it does', async () => {
    hangingAt('libx264')
    await expect(render({ timeoutMs: 2_000 })).rejects.toMatchObject({ code: 'timeout' })
    expect(renderers()).toEqual([])
  })

  it('failed: ends all threads where one cannot go on', async () => {
    const script = join(newDirectory(), 'ffmpeg')
    writeFileSync(
      script,
      `#!/bin/sh\ncase " $* " in *" libx264 "*) echo broken >&2; exit 9;; esac\nexec '${findFfmpeg()}' "$@"\n`,
    )
    chmodSync(script, 0o755)
    vi.stubEnv('FFMPEG', script)
    await expect(render()).rejects.toMatchObject({ code: 'failed', message: /broken/ })
    expect(renderers()).toEqual([])
  })

  // Whatever is written to /dev/full finds no space left on the device.
  it.skipIf(!isLinux).each(['narration.wav', 'still-0.yuv', 'thumbnail.jpg', 'segments.txt'])(
    'disk-full: says so, of %s',
    async (name) => {
      const directory = newDirectory()
      symlinkSync('/dev/full', join(directory, name))
      await expect(render({ composition: short, directory })).rejects.toMatchObject({ code: 'disk-full' })
      expect(renderers()).toEqual([])
    },
  )

  it('tells what the store threw, and renders no further', async () => {
    const broken = { fetch: async () => false, keep: () => Promise.reject(new Error('the store is away')) }
    await expect(render({ store: broken })).rejects.toMatchObject({ code: 'failed', message: /the store is away/ })
    expect(renderers()).toEqual([])
  })

  it('leaves nothing unfinished under the name of a segment', async () => {
    hangingAt('libx264')
    const directory = newDirectory()
    await expect(render({ composition: short, directory, stallMs: 2_000 })).rejects.toMatchObject({ code: 'stalled' })
    expect(readdirSync(directory).filter((name) => /^[0-9a-f]{64}\.mp4$/.test(name))).toEqual([])
  })
})
