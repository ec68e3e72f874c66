/** The lane of a render, from the media that are stored for it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handler as beginGeneration } from '../../../functions/pipelines/generate/begin.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { renderArtefactKey } from '../../../lib/domain/videos/render-key.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { functionMediaBytesMax } from '../../../lib/render/segments/lane.ts'
import { rendererVersion } from '../../../lib/render/segments/segment-key.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { countStored, storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { renderLane } from '../../../lib/use-cases/videos/render-lane.ts'
import { composition, shot } from '../../render/compositions.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld } from '../../support/world.ts'

beforeEach(() => {
  vi.stubEnv('RENDER_FUNCTIONS_MAX', '40')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** A workspace without limits, with a video, and what counts an object of it. */
async function world() {
  const { workspaceId } = await newWorld({ planId: 'self-hosted' })
  const workspace = await getWorkspace(workspaceId)
  const { id } = await given.generatedVideo({ workspaceId })
  const owner = { workspace, videoId: id }
  return {
    workspaceId,
    owner,
    /** The key of a manifest, rendered by this version of the renderer or another. */
    rendered: async (film: Composition, version = rendererVersion) => {
      const key = artefactKey(owner, 'manifests', film, 'json')
      await storeJson(owner, key, film)
      await storeJson(owner, renderArtefactKey(owner, key, version, 'json'), {})
      return key
    },
    videoId: id,
    video: () => getVideo(workspaceId, id),
    stored: async (kind: 'sources' | 'visuals' | 'renders', name: string, bytes: number, videoId = id) => {
      const key = artefactKey({ workspace, videoId }, kind, name, 'mp4')
      await countStored({ workspace, videoId }, key, bytes)
      return key
    },
  }
}

/** A video that shows each of these clips for five seconds. */
const filmOf = (keys: readonly string[]): Composition =>
  composition({
    durationMs: keys.length * 5_000,
    shots: keys.map((key, index) => shot(key, index * 5_000, (index + 1) * 5_000, 'clip')),
  })

describe('the lane of an uploaded file', () => {
  it.each([
    [64, 'function'],
    [65, 'task'],
  ])('follows its size alone: %i MB are read by a %s', async (megabytes, expected) => {
    const { workspaceId, video, stored } = await world()
    const sourceKey = await stored('sources', 'upload', megabytes * 1024 * 1024)
    await stored('renders', 'old', 500 * 1024 * 1024)
    const { media, process } = await video()
    const runId = mintId('run', now())
    // A clip: the file belongs to its parent.
    const clip = await given.generatedVideo(
      { workspaceId },
      {
        type: 'video',
        fields: {
          media: { ...media, sourceKey },
          process: { ...process!, runId, status: 'QUEUED', work: 'ingest' },
        },
      },
    )
    expect(await beginGeneration({ workspaceId, videoId: clip.id, runId })).toMatchObject({ lane: expected })
  })
})

describe('the lane of a render', () => {
  it('is a task for a clip that shows a large upload of its parent', async () => {
    const { workspaceId, videoId, owner, stored } = await world()
    const source = await stored('sources', 'upload', functionMediaBytesMax + 1)
    const clip = await given.generatedVideo({ workspaceId }, { fields: { parentVideoId: videoId } })
    const small = await stored('visuals', 'picture', 1_000, clip.id)
    expect((await renderLane(owner, filmOf([small, source]), undefined)).lane).toBe('task')
    expect((await renderLane(owner, filmOf([small]), undefined)).lane).toBe('function')
  })

  it('is a function for an edit of a long video with many stored renders', async () => {
    const { owner, stored, rendered } = await world()
    for (const name of ['one', 'two', 'three']) await stored('renders', name, functionMediaBytesMax)
    const clips = await Promise.all(
      Array.from({ length: 120 }, (_, index) => stored('visuals', `clip-${index}`, functionMediaBytesMax / 100)),
    )
    const before = filmOf(clips)
    const after = filmOf(clips.with(7, await stored('visuals', 'other', 1_000)))
    expect((await renderLane(owner, before, undefined)).lane).toBe('task')
    expect(await renderLane(owner, after, await rendered(before))).toEqual({ lane: 'function', parts: [] })
  })

  it('counts a medium that several segments show once', async () => {
    const { owner, stored } = await world()
    const key = await stored('visuals', 'clip', functionMediaBytesMax)
    expect((await renderLane(owner, filmOf([key, key, key]), undefined)).lane).toBe('function')
  })

  it('knows no segments of a manifest that was never rendered, or by an earlier version of the renderer', async () => {
    const { owner, rendered } = await world()
    const film = filmOf(Array.from({ length: 240 }, (_, index) => `clip-${index}`))
    const neverRendered = artefactKey(owner, 'manifests', 'another', 'json')
    await storeJson(owner, neverRendered, film)
    expect((await renderLane(owner, film, neverRendered)).lane).toBe('functions')
    expect((await renderLane(owner, film, await rendered(film, rendererVersion - 1))).lane).toBe('functions')
    expect((await renderLane(owner, film, await rendered(film))).lane).toBe('function')
  })
})
