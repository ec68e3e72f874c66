/**
 * Converts an ai video: makes b-roll segments from its scenes, each at its time in the render, and commits the new
 * type. Where the render shows captions, it first needs one without: it changes nothing and returns that to the state
 * machine.
 */
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { narrationFactsKey } from '../../../lib/domain/generation/narration.ts'
import { scenesAsBRolls } from '../../../lib/domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { captionlessRenderKey, completeConversion, renderToConvert } from '../../../lib/domain/videos/conversion.ts'
import { type RunInput, runInput, step } from '../../../lib/pipelines/step.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { rendererVersion } from '../../../lib/render/segments/segment-key.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { renderLane } from '../../../lib/use-cases/videos/render-lane.ts'

export const handler = step(runInput, 'visuals-failed', async (run) => {
  await loadOpenRunVideo(run, 'process')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: run.videoId }
  const { type } = await changeVideo(run, async (video) => {
    const sourceKey = await sourceOf(owner, video)
    if (!sourceKey) return undefined
    const bRollsKey = await storeTimeline(owner, 'bRolls', await segmentsFor(video))
    return completeConversion(video, run.runId, { sourceKey, bRollsKey }, now())
  })
  return type === 'video'
    ? { stitched: true, lane: 'function' }
    : { stitched: false, lane: await stitchLane(run, owner) }
})

/** A long video is stitched by a task. */
async function stitchLane(run: RunInput, owner: StorageOwner): Promise<'function' | 'task'> {
  const { manifestKey } = renderToConvert(await loadOpenRunVideo(run, 'process'))
  const rendered = await getJson<Composition>(manifestKey)
  const { lane } = await renderLane(owner, { ...rendered, pages: [] }, manifestKey)
  return lane === 'function' ? lane : 'task'
}

/** The render without captions; undefined where it does not exist yet. */
async function sourceOf(owner: StorageOwner, video: Video): Promise<string | undefined> {
  const { renderKey, manifestKey } = renderToConvert(video)
  const { pages } = await getJson<Composition>(manifestKey)
  if (pages.length === 0) return renderKey
  const key = captionlessRenderKey(owner, manifestKey, rendererVersion)
  return (await hasObject(key)) ? key : undefined
}

async function segmentsFor(video: Video) {
  const { audioKey } = video.media
  if (!audioKey) throw new Error(`The ai video ${video.id} has no sound.`)
  const [{ scenes }, { places }] = await Promise.all([
    getTimelines(video, ['scenes']),
    getJson<Soundtrack>(narrationFactsKey(audioKey)),
  ])
  return scenesAsBRolls(video, scenes, places)
}
