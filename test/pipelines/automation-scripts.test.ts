/**
 * Variations differ: the clips of one blueprint never have the same script, also if steps are repeated or run
 * concurrently.
 */
import { describe, expect, it } from 'vitest'
import { handler as writeScript } from '../../functions/pipelines/generate/write-script.ts'
import { getJson } from '../../lib/aws/media-bucket.ts'
import { now } from '../../lib/clock.ts'
import { runAutomation } from '../../lib/domain/automations/clip-runs.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { scriptSource as orderOf, scriptFingerprint, scriptRequests } from '../../lib/domain/generation/script.ts'
import type { Script } from '../../lib/domain/records/script.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { beginProcess } from '../../lib/domain/videos/job-transitions.ts'
import { builtInWriter } from '../../lib/providers/writer/built-in.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { claimScript } from '../../lib/store/script-claims.ts'
import { getBlueprint, loadAutomationContext } from '../../lib/use-cases/automations/load-automation.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { givenAutomation } from '../support/given/automations.ts'
import { newWorld } from '../support/world.ts'

/** A clip whose generation has begun. */
async function newClip(workspaceId: string, automationId: string): Promise<Video> {
  const { decision, clip } = runAutomation(
    await loadAutomationContext(await getBlueprint(workspaceId, automationId)),
    true,
    now(),
  )
  await commit(decision)
  const place = { workspaceId, videoId: clip.id }
  return changeVideo(place, (video) => beginProcess(video, video.process!.runId, now()))
}

async function scriptOf({ id: videoId, workspaceId, process }: Video): Promise<string> {
  const { key } = await writeScript({ workspaceId, videoId, runId: process!.runId })
  return (await getJson<Script>(key)).text
}

const clipsMax = 60

describe('the scripts of the clips of a blueprint', () => {
  it(`are ${clipsMax} different ones of one idea`, async () => {
    const { workspaceId } = await newWorld()
    const { id } = await givenAutomation({ workspaceId }, { video: { brief: { prompt: 'Why the sea is salty' } } })
    const clips: Video[] = []
    while (clips.length < clipsMax) clips.push(await newClip(workspaceId, id))
    const texts: string[] = []
    for (let page = 0; page < clips.length; page += 10)
      texts.push(...(await Promise.all(clips.slice(page, page + 10).map(scriptOf))))
    expect(new Set(texts.map(scriptFingerprint)).size).toBe(clipsMax)
  })

  it('stay the same if the step is repeated', async () => {
    const { workspaceId } = await newWorld()
    const { id } = await givenAutomation({ workspaceId })
    const clip = await newClip(workspaceId, id)
    const first = await scriptOf(clip)
    expect(await Promise.all([scriptOf(clip), scriptOf(clip)])).toEqual([first, first])
  })

  it('are rewritten if another clip has the same script, and accepted after five attempts', async () => {
    const { workspaceId } = await newWorld()
    const { id } = await givenAutomation({ workspaceId })
    const another = { workspaceId, sourceId: id, videoId: mintId('vid', now()) }
    const [early, late] = [await newClip(workspaceId, id), await newClip(workspaceId, id)]
    const [first, second] = await possibleScripts(early)
    await claimScript(another, scriptFingerprint(first!), now())
    expect(await scriptOf(early)).toBe(second)
    const all = await possibleScripts(late)
    expect(all).toHaveLength(6)
    for (const text of all) await claimScript(another, scriptFingerprint(text), now())
    expect(await scriptOf(late)).toBe(all[0])
  })
})

/** The scripts that the writer returns for a clip, in order. */
function possibleScripts(video: Video): Promise<string[]> {
  const order = orderOf(video)
  if ('text' in order) throw new Error('It tells its own text.')
  return Promise.all(scriptRequests(video.id, order).map(async (one) => (await builtInWriter.write(one)).text))
}
