/** A render always ends with an error code, at once, and leaves no process behind. */
import { chmodSync, copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { renderComposition } from '../../../containers/media/render/render-composition.ts'
import type { RenderRequest } from '../../../containers/media/render/render-request.ts'
import type { SegmentStore } from '../../../containers/media/render/segment-store.ts'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import { findFfmpeg } from '../../../lib/ffmpeg/binary.ts'
import { encodeWav } from '../../../lib/render/sound/wav.ts'
import {
  composition,
  createTestMedia,
  newRenderDirectory,
  page,
  shot,
  speechSamples,
} from '../../render/compositions.ts'

let files: Map<string, string>
beforeAll(async () => {
  files = await createTestMedia()
})
afterEach(() => vi.unstubAllEnvs())

const film = composition({
  durationMs: 60_000,
  shots: [shot('picture', 0, 30_000), shot('clip', 30_000, 60_000, 'clip')],
  pages: [page('some words', 0)],
})
const short = composition({ durationMs: 1_000, shots: [shot('picture', 0, 1_000)], pages: [page('some words', 0)] })

const render = (changes: Partial<RenderRequest> = {}) =>
  renderComposition({
    composition: film,
    files,
    directory: newRenderDirectory(),
    onProgress: () => {},
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    ...changes,
  })

/** An ffmpeg that hangs if its arguments contain this word, and is the real one otherwise. */
function hangingAt(word: string): void {
  const script = join(newRenderDirectory(), 'ffmpeg')
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
      // Not a process, or one that has ended since.
      return []
    }
  })
}
const renderers = () => children().filter((name) => ['ffmpeg', 'sleep', 'prlimit'].includes(name))

describe('a render', () => {
  it.each([
    ['while captions are prepared', '-vf'],
    ['while segments are encoded', 'superfast'],
    ['while the sound is encoded', 'aac'],
    ['while the film is joined', 'concat'],
  ])('cancelled: ends at once %s, also if ffmpeg hangs', async (_, word) => {
    hangingAt(word)
    const cancel = new AbortController()
    const rendering = render({ composition: short, signal: cancel.signal })
    const failed = expect(rendering).rejects.toMatchObject({ code: 'cancelled' })
    await vi.waitUntil(() => !isLinux || children().includes('sleep'), { timeout: 30_000 })
    const cancelledAt = performance.now()
    cancel.abort()
    await failed
    // The stub hangs for a minute; a machine that is busy with other tests may take seconds.
    expect(performance.now() - cancelledAt).toBeLessThan(20_000)
    expect(renderers()).toEqual([])
  })

  it.each(['-vf', 'superfast', 'concat'])('stalled: is ended if ffmpeg hangs at %s', async (word) => {
    hangingAt(word)
    await expect(render({ composition: short, stallMs: 3_000 })).rejects.toMatchObject({ code: 'stalled' })
    expect(renderers()).toEqual([])
  })

  it('timeout: is ended at its deadline in any phase', async () => {
    hangingAt('superfast')
    await expect(render({ timeoutMs: 2_000 })).rejects.toMatchObject({ code: 'timeout' })
    expect(renderers()).toEqual([])
  })

  it('failed: ends all threads if one fails', async () => {
    const script = join(newRenderDirectory(), 'ffmpeg')
    writeFileSync(
      script,
      `#!/bin/sh\ncase " $* " in *" superfast "*) echo broken >&2; exit 9;; esac\nexec '${findFfmpeg()}' "$@"\n`,
    )
    chmodSync(script, 0o755)
    vi.stubEnv('FFMPEG', script)
    await expect(render()).rejects.toMatchObject({ code: 'failed', message: /broken/ })
    expect(renderers()).toEqual([])
  })

  it.each([
    ['still', 'picture', 'png_pipe'],
    ['clip', 'clip', 'trim=start_frame='],
  ] as const)('failed: ends if ffmpeg is killed over a %s, and does not blame the input', async (kind, key, word) => {
    const script = join(newRenderDirectory(), 'ffmpeg')
    const killed = `case "$*" in *${word}*) kill -9 $$;; esac`
    writeFileSync(script, `#!/bin/sh\n${killed}\nexec '${findFfmpeg()}' "$@"\n`)
    chmodSync(script, 0o755)
    vi.stubEnv('FFMPEG', script)
    const shown = composition({ durationMs: 1_000, shots: [shot(key, 0, 1_000, kind)] })
    await expect(render({ composition: shown })).rejects.toMatchObject({ code: 'failed', message: /cannot be used/ })
  })

  // A write to /dev/full fails with "no space left on device".
  it.skipIf(!isLinux).each(['narration.wav', 'still-0.yuv', 'thumbnail.jpg', 'segments.txt'])(
    'disk-full: is reported for %s',
    async (name) => {
      const directory = newRenderDirectory()
      symlinkSync('/dev/full', join(directory, name))
      await expect(render({ composition: short, directory })).rejects.toMatchObject({ code: 'disk-full' })
      expect(renderers()).toEqual([])
    },
  )

  it.each([
    ['a store that is away', new Error('the store is away'), { code: 'failed', message: /the store is away/ }],
    ['a video that is gone', new Superseded('the video is gone'), { name: 'Superseded' }],
  ])('ends for %s, and renders nothing again: a stored part would not fix it', async (_, thrown, expected) => {
    const parts = new Map<string, string>()
    const asked: string[] = []
    const store: SegmentStore = {
      fetch: async (name, path) => {
        asked.push(name)
        if (parts.has(name)) copyFileSync(parts.get(name)!, path)
        return parts.has(name)
      },
      put: async (name, path) => void parts.set(name, path),
    }
    await render({ composition: short, store })
    const edited = { ...short, durationMs: 2_000, shots: [...short.shots, shot('red', 1_000, 2_000)] }
    asked.length = 0
    const broken = { ...store, put: () => Promise.reject(thrown) }
    await expect(render({ composition: edited, store: broken })).rejects.toMatchObject(expected)
    expect(asked).toHaveLength(new Set(asked).size)
    expect(renderers()).toEqual([])
  })

  it('cancelled: stops drawing the animations of its slides', async () => {
    const directory = newRenderDirectory()
    const still = (value: number) => [[0, value]] as const
    const sprites = Array.from({ length: 60 }, (_, index) => ({
      picture: {
        kind: 'drawing' as const,
        svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${200 + index}" height="200"/>`,
      },
      ...{ width: 200 + index, height: 200, fromMs: 0, toMs: 1_000 },
      ...{ x: still(100), y: still(100), scale: still(1), opacity: still(1) },
    }))
    const drawn = () => readdirSync(directory).filter((name) => name.startsWith('sprite-')).length
    const cancel = new AbortController()
    const rendering = render({ composition: { ...short, sprites }, directory, signal: cancel.signal })
    const ended = expect(rendering).rejects.toMatchObject({ code: 'cancelled' })
    await vi.waitUntil(() => drawn() > 0, { interval: 1, timeout: 30_000 })
    cancel.abort()
    await ended
    expect(drawn()).toBeLessThan(sprites.length)
  })

  it('cancelled: stops between two caption pages, whose words may take long to shape', async () => {
    const cancel = new AbortController()
    const placed = new Set<number>()
    const pages = [0, 300, 600].map((startMs) => ({
      ...page('some words', startMs, 100),
      // Requested when a page is laid out, and not before.
      get startMs() {
        placed.add(startMs)
        cancel.abort()
        return startMs
      },
    }))
    const rendering = render({ composition: { ...short, pages }, signal: cancel.signal })
    await expect(rendering).rejects.toMatchObject({ code: 'cancelled' })
    expect([...placed]).toEqual([0])
  })

  it('cancelled: stops while a long narration is levelled', async () => {
    const directory = newRenderDirectory()
    const narration = join(directory, 'long.wav')
    const [seconds, sampleRate] = [120, 48_000]
    const samples = new Int16Array(seconds * sampleRate)
    const second = speechSamples(1, sampleRate)
    for (let at = 0; at < seconds; at++) samples.set(second, at * sampleRate)
    writeFileSync(narration, encodeWav({ sampleRate, samples }))
    const cancel = new AbortController()
    const fetchFiles = async (keys: readonly string[]) => {
      if (keys.includes('narration')) setTimeout(() => cancel.abort(), 20)
    }
    const given = { composition: short, files: new Map([...files, ['narration', narration]]), fetchFiles }
    await expect(render({ ...given, directory, signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' })
    expect(readdirSync(directory)).not.toContain('narration.wav')
  })

  it('leaves no incomplete file under the name of a segment', async () => {
    hangingAt('superfast')
    const directory = newRenderDirectory()
    await expect(render({ composition: short, directory, stallMs: 2_000 })).rejects.toMatchObject({ code: 'stalled' })
    expect(readdirSync(directory).filter((name) => /^[0-9a-f]{64}\.mp4$/.test(name))).toEqual([])
  })
})
