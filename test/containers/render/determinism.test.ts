/**
 * Renders are deterministic: the same bytes with any number of threads, and with any mix of stored and new segments.
 */
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type RenderedVideo,
  renderComposition,
  renderSegmentRange,
  renderSoundOnly,
  renderThumbnailOnly,
} from '../../../containers/media/render/render-composition.ts'
import type { RenderRequest } from '../../../containers/media/render/render-request.ts'
import type { SegmentStore } from '../../../containers/media/render/segment-store.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { divideByCost } from '../../../lib/render/segments/batches.ts'
import { planRender } from '../../../lib/render/segments/render-plan.ts'
import { composition, createTestMedia, newRenderDirectory, page, shot } from '../../render/compositions.ts'

let files: Map<string, string>
/** The video as two threads have rendered it, and all its parts. */
let known: RenderedVideo
let kept: Store
beforeAll(async () => {
  files = await createTestMedia()
  kept = directoryStore()
  known = await render({ store: kept, threads: 2 })
})

const film = composition({
  durationMs: 4_000,
  shots: [shot('picture', 0, 1_500), shot('clip', 1_500, 2_700, 'clip'), shot('red', 2_700, 4_000)],
  pages: Array.from({ length: 3 }, (_, i) => page('some words here', 100 + i * 1_100)),
})
const edited = { ...film, pages: film.pages.with(1, page('other words there', film.pages[1]!.startMs)) }

/** Eight segments. */
const manyShots = composition({
  width: 180,
  height: 320,
  durationMs: 2_000,
  shots: Array.from('picture clip red clip picture clip blue clip'.split(' '), (key, i) =>
    shot(key, i * 250, (i + 1) * 250, key === 'clip' ? 'clip' : 'still'),
  ),
  pages: [page('some words here', 100), page('other words there', 1_100)],
})
const mustNotStore: SegmentStore['put'] = async (name) => {
  throw new Error(`${name} was rendered again`)
}

const request = (changes: Partial<RenderRequest> = {}): RenderRequest => ({
  composition: film,
  files,
  directory: newRenderDirectory(),
  onProgress: () => {},
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  ...changes,
})
const render = (changes?: Partial<RenderRequest>) => renderComposition(request(changes))

type Store = SegmentStore & { names: () => string[]; segments: () => string[]; pathOf: (name: string) => string }

/** Stores parts as files of a directory, and starts with those of another store. */
function directoryStore(of?: Store): Store {
  const directory = newRenderDirectory()
  if (of) cpSync(of.pathOf('.'), directory, { recursive: true })
  return {
    pathOf: (name) => join(directory, name),
    names: () => readdirSync(directory),
    segments: () => readdirSync(directory).filter((name) => name.endsWith('.mp4')),
    fetch: async (name, path) => {
      if (!existsSync(join(directory, name))) return false
      copyFileSync(join(directory, name), path)
      return true
    },
    put: async (name, path) => copyFileSync(path, join(directory, name)),
  }
}

/** The hash of each decoded frame. */
async function framesOf(path: string): Promise<string> {
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-']
  return (await runFfmpeg({ directory: newRenderDirectory(), timeoutMs: 60_000, arguments: args })).output.toString()
}

describe('a render', () => {
  it('is the same bytes with 1, 2 and 4 threads', async () => {
    const films = [await render({ threads: 1 }), known, await render({ threads: 4 })]
    expect(new Set(films.map(({ sha256 }) => sha256)).size).toBe(1)
    expect(new Set(films.map(({ thumbnailPath }) => readFileSync(thumbnailPath, 'hex'))).size).toBe(1)
  })

  it('is the same bytes whether its segments are stored or new, and renders only the new ones', async () => {
    const cold = await render({ composition: edited })
    expect(known.reuse).toEqual({ segments: known.reuse.segments, reused: 0, secondsRendered: 4 })
    const store = directoryStore(kept)
    const warm = await render({ composition: edited, store })
    expect(warm.reuse.reused).toBeGreaterThanOrEqual(known.reuse.segments - 2)
    expect(warm.sha256).toBe(cold.sha256)
    expect(await framesOf(warm.videoPath)).toBe(await framesOf(cold.videoPath))
    const again = await render({ composition: edited, store, files: new Map() })
    expect(again).toMatchObject({ sha256: cold.sha256, reuse: { secondsRendered: 0 } })
  })

  it('gets other music, or another title, without rendering a segment again', async () => {
    const music = { mood: 'calm', seed: 'one' } as const
    const composition = { ...film, music, title: 'Some words' }
    const after = await render({ store: directoryStore(kept), composition })
    expect(after.reuse.secondsRendered).toBe(0)
    expect(after.sha256).not.toBe(known.sha256)
    expect(await framesOf(after.videoPath)).toBe(await framesOf(known.videoPath))
    expect(readFileSync(after.thumbnailPath).equals(readFileSync(known.thumbnailPath))).toBe(false)
  })

  it('resumes from the segments of a render that was cancelled', async () => {
    const store = directoryStore()
    const cancel = new AbortController()
    const keep: SegmentStore['put'] = async (name, path, signal) => {
      await store.put(name, path, signal)
      if (store.segments().length > 0) cancel.abort()
    }
    await expect(render({ store: { ...store, put: keep }, signal: cancel.signal, threads: 1 })).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect((await render({ store })).reuse.reused).toBeGreaterThan(0)
  })

  it('is the same bytes when parallel workers rendered its parts before, and the join renders nothing', async () => {
    const alone = await render({ composition: manyShots, threads: 2 })
    const part = (store: SegmentStore) => ({ ...request({ composition: manyShots, threads: 1 }), store })
    const withoutSegments = directoryStore()
    await renderSoundOnly(part(withoutSegments))
    await renderThumbnailOnly(part(withoutSegments))
    for (const count of [2, 4, 8]) {
      const store = directoryStore(withoutSegments)
      const batches = divideByCost(planRender(manyShots).segments, count, 60, () => 1)
      expect(batches).toHaveLength(count)
      for (const batch of batches) await renderSegmentRange(part(store), batch)
      expect(store.names().toSorted()).toEqual(alone.parts.toSorted())
      // Without the media, which the join does not read either.
      const joined = await render({ composition: manyShots, store: { ...store, put: mustNotStore }, files: new Map() })
      expect(joined).toMatchObject({ sha256: alone.sha256, reuse: { segments: 8, reused: 8, secondsRendered: 0 } })
      expect(readFileSync(joined.thumbnailPath).equals(readFileSync(alone.thumbnailPath))).toBe(true)
    }
  })

  it('replaces a damaged part of the store, and repairs the store', async () => {
    const store = directoryStore(kept)
    for (const name of store.segments().slice(0, 2)) truncateSync(store.pathOf(name), 5_000)
    const again = await render({ store })
    expect(again).toMatchObject({ sha256: known.sha256, reuse: { secondsRendered: 4 } })
    expect(await render({ store })).toMatchObject({ sha256: known.sha256, reuse: { secondsRendered: 0 } })
  })

  it('renders repeated content only once', async () => {
    const shots = ['red', 'blue', 'red', 'blue', 'red'].map((key, i) => shot(key, i * 500, (i + 1) * 500))
    const { reuse } = await render({ composition: composition({ durationMs: 2_500, shots }) })
    // The second and the fourth fade from red to blue and stay as long; the first and the last are alone.
    expect(reuse).toEqual({ segments: 5, reused: 1, secondsRendered: 2 })
  })
})
