/**
 * The quality gate in a generation: a narrator whose word times are wrong and pictures that are black, once or always.
 */
import { Resvg } from '@resvg/resvg-js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchVisuals } from '../../containers/media/visuals/fetch-visuals.ts'
import { handler as begin } from '../../functions/pipelines/generate/begin.ts'
import { handler as complete } from '../../functions/pipelines/generate/complete.ts'
import { handler as fail } from '../../functions/pipelines/generate/fail.ts'
import { handler as narrate } from '../../functions/pipelines/generate/narrate.ts'
import { handler as planVisuals } from '../../functions/pipelines/generate/plan-visuals.ts'
import { handler as writeScript } from '../../functions/pipelines/generate/write-script.ts'
import { getJson, getObject } from '../../lib/aws/media-bucket.ts'
import { now } from '../../lib/clock.ts'
import type { NarrationFacts } from '../../lib/domain/generation/narration.ts'
import { type ResolvedVisuals, type VisualPlan, visualsResultKey } from '../../lib/domain/generation/visual-media.ts'
import { updateVideo } from '../../lib/domain/videos/update-video.ts'
import type { StepFailure } from '../../lib/pipelines/step.ts'
import type { Images } from '../../lib/providers/images/index.ts'
import type { Narrator } from '../../lib/providers/narrator/index.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { storeJson, storeTimeline } from '../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { tinyPicture } from '../support/fake-vendors/media.ts'
import { timedCaptions } from '../support/given/videos.ts'
import { runOf } from '../support/run-jobs.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

/**
 * How many of the next narrations have overlapping words, and how many there were; how many of the next pictures are
 * black, and which takes were requested.
 */
const studio = vi.hoisted(() => ({ broken: 0, spoken: 0, black: 0, takes: [] as string[] }))

vi.mock('../../lib/providers/choose/narrator.ts', async () => {
  const { builtInNarrator } = await import('../../lib/providers/narrator/built-in.ts')
  const narrator: Narrator = {
    ...builtInNarrator,
    async narrate(text, voice) {
      studio.spoken += 1
      const narration = await builtInNarrator.narrate(text, voice)
      if (studio.broken-- <= 0) return narration
      const words = narration.words.map((word, index) => (index === 2 ? { ...word, startMs: 0 } : word))
      return { ...narration, words }
    },
  }
  return { chooseNarrator: async () => narrator }
})

vi.mock('../../lib/providers/choose/images.ts', async () => {
  const { tinyPicture } = await import('../support/fake-vendors/media.ts')
  const images: Images = {
    id: 'tiny-1',
    async draw({ take = 'first' }) {
      studio.takes.push(take)
      const bytes = studio.black-- > 0 ? blackPicture() : await tinyPicture()
      return { bytes, contentType: 'image/png' }
    },
  }
  return { chooseImages: async () => images }
})

const blackPicture = () =>
  new Resvg('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="160"><rect width="90" height="160"/></svg>')
    .render()
    .asPng()

beforeEach(() => Object.assign(studio, { broken: 0, spoken: 0, black: 0, takes: [] }))

async function begun(world: World, wish: object = {}) {
  const body = { text: 'Calm mornings begin in the evening. Sleep early.', videoDuration: 'subminute', ...wish }
  const { id } = (await callApi('POST', '/videos', { key: world.apiKey, body })).body.data
  const run = await runOf(world, id)
  await begin(run)
  return { id, run, script: await writeScript(run) }
}

const processOf = async ({ apiKey }: World, id: string) =>
  (await callApi('GET', `/videos/${id}`, { key: apiKey })).body.data.process

describe('a narration that fails the quality gate', () => {
  it('twice ends the generation: it reports what is wrong, and the reservation is released', async () => {
    const world = await newWorld({ planId: 'free' })
    const { id, run, script } = await begun(world)
    studio.broken = 2
    const failure = (await narrate({ ...run, script }).catch((error: unknown) => error)) as StepFailure
    expect(failure.name).toBe('JobFailed')
    const error = { Error: failure.name, Cause: JSON.stringify({ errorMessage: failure.message }) }
    await fail({ ...run, error, begun: { work: 'generate', type: 'faceless' }, script })
    expect(await processOf(world, id)).toMatchObject({
      status: 'FAILED',
      error: {
        code: 'voice-failed',
        message: expect.stringContaining('words that overlap: 1 (at most 0)'),
        blocked: false,
      },
      quality: null,
    })
    expect(studio.spoken).toBe(2)
    expect((await creditLedgerOf(world.workspaceId)).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['reserve', 'release']),
    )
  })

  it('and times out is reported as a time-out of the state, not as a fault of its stage', async () => {
    const world = await newWorld()
    const { id, run, script } = await begun(world)
    const error = { Error: 'States.Timeout', Cause: '' }
    await fail({ ...run, error, begun: { work: 'generate', type: 'faceless' }, script })
    expect(await processOf(world, id)).toMatchObject({ status: 'FAILED', error: { code: 'timeout', blocked: false } })
  })

  it('once is spoken again, and only the good one is stored', async () => {
    const world = await newWorld()
    const { run, script } = await begun(world)
    studio.broken = 1
    const { key } = await narrate({ ...run, script })
    const { words, checks } = await getJson<NarrationFacts>(key)
    expect(words.every(({ startMs }, index) => startMs >= (words[index - 1]?.endMs ?? 0))).toBe(true)
    expect(checks?.every(({ passed }) => passed)).toBe(true)
    expect(await narrate({ ...run, script })).toEqual({ key })
    expect(studio.spoken).toBe(2)
  })
})

describe('a picture that shows nothing', () => {
  async function drawing(world: World) {
    const { run, script } = await begun(world, { imageStyle: 'ai_image' })
    const visuals = await planVisuals({ ...run, narration: await narrate({ ...run, script }) })
    const video = await claimAttempt(run.workspaceId, run.videoId, 'process', run.runId)
    const directory = temporaryDirectory()
    const { signal } = new AbortController()
    return { visuals, draw: () => fetchVisuals({ run, video, rest: [visuals.key], directory, signal }) }
  }

  it('is drawn again, as another take', async () => {
    const { visuals, draw } = await drawing(await newWorld())
    studio.black = 1
    await draw()
    const made = await getJson<ResolvedVisuals>(visualsResultKey(visuals.key))
    expect(studio.takes.toSorted()).toEqual(['2', ...made.map(() => 'first')])
    for (const { media } of made) expect(await getObject(media!.key)).toEqual(await tinyPicture())
  })

  it('twice ends the generation with what is wrong', async () => {
    const { draw } = await drawing(await newWorld())
    studio.black = 100
    await expect(draw()).rejects.toMatchObject({
      code: 'visuals-failed',
      message: expect.stringContaining('pictures that show nothing: 1 (at most 0)'),
    })
  })
})

describe('a finished generation', () => {
  /** The pictures of a plan as they would have been made, with the b-rolls that a test needs. */
  async function planned(world: World, change: (segments: ResolvedVisuals) => ResolvedVisuals) {
    const { id, run, script } = await begun(world)
    const narration = await narrate({ ...run, script })
    const visuals = await planVisuals({ ...run, narration })
    const plan = await getJson<VisualPlan>(visuals.key)
    const media = { kind: 'still' as const, key: 'wsp/vid/visuals/a.png' }
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: id }
    const segments = plan.map(({ segment }) => ({ ...segment, media }))
    await storeJson(owner, visualsResultKey(visuals.key), change(segments))
    return { id, input: { ...run, script, narration, visuals } }
  }

  it('reports every measurement with its limits', async () => {
    const world = await newWorld()
    const { id, input } = await planned(world, (segments) => segments)
    await complete(input)
    const { quality } = await processOf(world, id)
    expect(quality.passed).toBe(true)
    expect(quality.checks.map(({ name }: { name: string }) => name)).toEqual([
      ...['wordsMissing', 'wordsOverlapping', 'wordsBeyondMs', 'voiceOffsetMs', 'wordsInSilencePercent', 'silenceMs'],
      ...['loudnessGapLu', 'pagesOverlapping', 'wordsUnpaged', 'pagesBeyondMs', 'uncoveredMs', 'emptyPictures'],
    ])
    for (const { passed, measured, limit } of quality.checks) {
      expect(passed).toBe(true)
      expect(measured).toBeLessThanOrEqual(limit)
    }
  })

  it('with b-rolls and captions that the client kept reports their problems, and continues', async () => {
    const world = await newWorld()
    const { id, input } = await planned(world, (segments) => segments.slice(0, -1))
    const run = { workspaceId: input.workspaceId, videoId: id }
    const captions = timedCaptions('Other words that somebody said long ago, on and on. And more. So much more.').map(
      (word) => ({ ...word, startMs: word.startMs + 60_000, endMs: word.endMs + 60_000 }),
    )
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: id }
    const timelines = { captions: await storeTimeline(owner, 'captions', captions) }
    await changeVideo(run, (video) => {
      const wishes = { ...video.process!.wishes, transcribe: false }
      return updateVideo(video, { ...video, timelines, process: { ...video.process!, wishes } }, now())
    })
    await complete({ ...input, visuals: { ...input.visuals, isNew: false } })
    const { status, quality } = await processOf(world, id)
    expect(status).toBe('COMPLETED')
    expect(quality.passed).toBe(false)
    const wrong = quality.checks.filter(({ passed }: { passed: boolean }) => !passed)
    expect(wrong.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['wordsInSilencePercent', 'wordsBeyondMs', 'uncoveredMs']),
    )
  })

  it('fails if its b-rolls leave a gap', async () => {
    const { input } = await planned(await newWorld(), (segments) => segments.slice(0, -1))
    const failure = (await complete(input).catch((error: unknown) => error)) as StepFailure
    expect(JSON.parse(failure.message)).toMatchObject({
      code: 'visuals-failed',
      message: expect.stringContaining('milliseconds with no segment'),
    })
  })
})
