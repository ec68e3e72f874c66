/** A generation that is edited while it runs, that crashes, or that exceeds a limit. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { handler as begin } from '../../functions/pipelines/generate/begin.ts'
import { handler as complete } from '../../functions/pipelines/generate/complete.ts'
import { handler as fail } from '../../functions/pipelines/generate/fail.ts'
import { handler as narrate } from '../../functions/pipelines/generate/narrate.ts'
import { handler as planVisuals } from '../../functions/pipelines/generate/plan-visuals.ts'
import { handler as writeScript } from '../../functions/pipelines/generate/write-script.ts'
import { getJson } from '../../lib/aws/media-bucket.ts'
import { startPipeline, stopPipeline } from '../../lib/aws/pipelines.ts'
import { ProviderRejected } from '../../lib/domain/core/failures.ts'
import type { VisualPlan } from '../../lib/domain/generation/visual-media.ts'
import { visualsResultKey } from '../../lib/domain/generation/visual-media.ts'
import { plans } from '../../lib/domain/workspaces/plan.ts'
import type { StepFailure } from '../../lib/pipelines/step.ts'
import { builtInDirector } from '../../lib/providers/director/built-in.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { reportProgress } from '../../lib/store/progress.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { storeJson } from '../../lib/use-cases/artefacts/store-artefact.ts'
import { recoverStalled } from '../../lib/use-cases/recovery/recover-stalled.ts'
import { given } from '../support/given/videos.ts'
import { runOf } from '../support/run-jobs.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

/** A generation that has begun. */
async function generating(world: World, body: object) {
  const { id } = (await callApi('POST', '/videos', { key: world.apiKey, body })).body.data
  const run = await runOf(world, id)
  await begin(run)
  return { id, run }
}

describe('what a client edits while a generation runs', () => {
  it('is kept: the b-rolls are those of the client, with the media that were made for the ones left as planned', async () => {
    const world = await newWorld()
    const { id, run } = await generating(world, { text: 'Calm mornings begin in the evening.' })
    const script = await writeScript(run)
    const narration = await narrate({ ...run, script })
    const visuals = await planVisuals({ ...run, narration })
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: id }
    const [shot] = await getJson<VisualPlan>(visuals.key)
    const made = { ...shot!.segment, media: { kind: 'still' as const, key: 'wsp/vid/visuals/a.png' } }
    await storeJson(owner, visualsResultKey(visuals.key), [made])
    const { startMs, endMs, text, prompt, keywords, mediaType } = made
    const planned = { id: made.id, startMs, endMs, text, prompt, keywords, mediaType }
    const mine = { ...planned, id: 'brl_mine', prompt: 'A lighthouse' }
    const bRolls = [planned, mine]
    expect((await callApi('PUT', `/videos/${id}/brolls`, { key: world.apiKey, body: { bRolls } })).status).toBe(200)
    await complete({ ...run, script, narration, visuals })
    const { data } = (await callApi('GET', `/videos/${id}?include=bRolls`, { key: world.apiKey })).body
    expect(data.process.status).toBe('COMPLETED')
    expect(data.bRolls).toMatchObject([
      { ...planned, url: expect.stringContaining('a.png') },
      { ...mine, url: null },
    ])
  })
})

describe('a generation that is deleted', () => {
  const paidStepsOf = async ({ workspaceId }: World, id: string) =>
    (await getVideo(workspaceId, id)).process?.paidSteps ?? []

  it('has bought the script that was written from an idea, also before the step after it begins', async () => {
    const world = await newWorld()
    for (const type of ['faceless', 'ai']) {
      const { id, run } = await generating(world, { prompt: 'Calm mornings', type })
      expect(await paidStepsOf(world, id)).toEqual([])
      await writeScript(run)
      expect(await paidStepsOf(world, id)).toEqual(['script'])
    }
  })

  it('has bought the narration of a text of the client, and not that text', async () => {
    const world = await newWorld()
    const { id, run } = await generating(world, { text: 'Calm mornings begin in the evening.' })
    const script = await writeScript(run)
    expect(await paidStepsOf(world, id)).toEqual([])
    await narrate({ ...run, script })
    expect(await paidStepsOf(world, id)).toEqual(['voice'])
  })

  it('has bought nothing that the video had before', async () => {
    const world = await newWorld()
    const { id, run } = await generating(world, { prompt: 'Calm mornings' })
    const script = await writeScript(run)
    const narration = await narrate({ ...run, script })
    const visuals = await planVisuals({ ...run, narration })
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: id }
    const media = { kind: 'still' as const, key: 'wsp/vid/visuals/a.png' }
    const made = (await getJson<VisualPlan>(visuals.key)).map(({ segment }) => ({ ...segment, media }))
    await storeJson(owner, visualsResultKey(visuals.key), made)
    await complete({ ...run, script, narration, visuals })
    await callApi('POST', `/videos/${id}/process`, { key: world.apiKey, body: {} })
    const next = await runOf(world, id)
    await begin(next)
    await narrate({ ...next, script: await writeScript(next) })
    expect(await paidStepsOf(world, id)).toEqual([])
  })
})

describe('a video with facts and pictures that require attribution', () => {
  it('owes their credits, each once', async () => {
    const world = await newWorld()
    const { id, run } = await generating(world, { text: 'Quokkas live on an island.' })
    const client = await writeScript(run)
    const narration = await narrate({ ...run, script: client })
    const visuals = await planVisuals({ ...run, narration })
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: id }
    const [shot] = await getJson<VisualPlan>(visuals.key)
    const media = {
      kind: 'still' as const,
      key: 'wsp/vid/visuals/a.png',
      credit: 'Picture: “Quokka” by Ann, CC BY 4.0',
    }
    await storeJson(owner, visualsResultKey(visuals.key), [{ ...shot!.segment, media }])
    const source = { title: 'Quokka', url: 'https://en.wikipedia.org/wiki/Quokka', licence: 'CC-BY-SA-4.0' }
    const script = { key: client.key.replace(/[^/]+$/, 'found.json') }
    await storeJson(owner, script.key, { title: 'Quokka', text: 'Quokkas live on an island.', sources: [source] })
    await complete({ ...run, script, narration, visuals })
    expect((await getVideo(world.workspaceId, id)).credits).toEqual([
      'Text: adapted from “Quokka”, Wikipedia, CC BY-SA 4.0, https://en.wikipedia.org/wiki/Quokka',
      'Picture: “Quokka” by Ann, CC BY 4.0',
    ])
  })
})

describe('the cut of a presentation', () => {
  it('is made once, before its pictures, so that a refusal of the director ends the job before they are paid for', async () => {
    const cut = vi.spyOn(builtInDirector, 'cut').mockRejectedValueOnce(new ProviderRejected('No slides of this.'))
    onTestFinished(() => cut.mockRestore())
    const world = await newWorld()
    const { id, run } = await generating(world, { text: 'Calm mornings begin at night.', subType: 'presentation' })
    const script = await writeScript(run)
    const narration = await narrate({ ...run, script })
    await expect(planVisuals({ ...run, narration })).rejects.toMatchObject({ name: 'JobFailed' })
    const visuals = await planVisuals({ ...run, narration })
    await storeJson({ workspace: await getWorkspace(world.workspaceId), videoId: id }, visualsResultKey(visuals.key), [
      { ...(await getJson<VisualPlan>(visuals.key))[0]!.segment, media: null },
    ])
    await complete({ ...run, script, narration, visuals })
    expect((await getVideo(world.workspaceId, id)).timelines.presentationScenes).toBeDefined()
    expect(cut).toHaveBeenCalledTimes(2)
  })
})

describe('a generation whose execution crashed', () => {
  it('is ended by the sweeper, with the stage that it was in', async () => {
    const world = await newWorld()
    const { id, run } = await generating(world, { text: 'A few words.' })
    await startPipeline(world.workspaceId, { pipeline: 'generate', videoId: id, runId: run.runId })
    await stopPipeline('generate', run.runId)
    const video = await getVideo(world.workspaceId, id)
    await reportProgress(video, 'process', run, { progress: 50 })
    await recoverStalled(keys.video(world.workspaceId, id))
    expect((await getVideo(world.workspaceId, id)).process).toMatchObject({
      status: 'FAILED',
      error: { code: 'visuals-failed', blocked: false },
    })
  })
})

describe('a generation that exceeds a limit', () => {
  /** The input that the state machine passes to `Fail` when a step has thrown. */
  const caught = async (step: Promise<unknown>) => {
    const failure = (await step.catch((error: unknown) => error)) as StepFailure
    return {
      name: failure.name,
      error: { Error: failure.name, Cause: JSON.stringify({ errorMessage: failure.message }) },
    }
  }
  const errorOf = async ({ apiKey }: World, id: string) =>
    (await callApi('GET', `/videos/${id}`, { key: apiKey })).body.data.process

  it('on length is blocked, and points to an upgrade', async () => {
    const world = await newWorld({ planId: 'starter' })
    const text = 'One two three four five six seven eight nine ten. '.repeat(22)
    const { id, run } = await generating(world, { text, videoDuration: 'short' })
    const script = await writeScript(run)
    await given.workspaceWith(world, { planId: 'free' })
    const { name, error } = await caught(narrate({ ...run, script }))
    expect(name).toBe('JobFailed')
    await fail({ ...run, error, begun: { work: 'generate', type: 'faceless' }, script })
    expect(await errorOf(world, id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'warning-plan-duration', blocked: true, action: 'upgrade' },
    })
  })

  it('on storage is blocked, and points to an upgrade', async () => {
    const world = await newWorld({ planId: 'free' })
    const { id, run } = await generating(world, { text: 'A few words.' })
    await given.workspaceWith(world, { storageUsedBytes: plans.free.storageBytesMax! })
    const { name, error } = await caught(writeScript(run))
    expect(name).toBe('JobFailed')
    await fail({ ...run, error, begun: { work: 'generate', type: 'faceless' } })
    expect(await errorOf(world, id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'warning-plan-storage', blocked: true, action: 'upgrade' },
    })
  })

  it('is not reported as a limit if a step crashed without an error: then its stage is named', async () => {
    const world = await newWorld()
    const { id, run } = await generating(world, { text: 'A few words.' })
    const error = { Error: 'States.TaskFailed', Cause: '' }
    await fail({ ...run, error, begun: { work: 'generate', type: 'faceless' }, script: { key: 'x' } })
    expect(await errorOf(world, id)).toMatchObject({ error: { code: 'voice-failed', blocked: false } })
  })
})
