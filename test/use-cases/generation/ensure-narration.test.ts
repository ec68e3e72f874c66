/** Cost of a vendor's narration: each part is paid once, wherever the job is interrupted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { handler as narrate } from '../../../functions/pipelines/generate/narrate.ts'
import { getJson, getObject, putObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { timeoutError } from '../../../lib/domain/core/failures.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import {
  type NarrationFacts,
  narrationFactsKey,
  narrationKey,
  narrationSoundKey,
} from '../../../lib/domain/generation/narration.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { editVideo } from '../../../lib/domain/videos/edits.ts'
import { beginProcess, failJob } from '../../../lib/domain/videos/job-transitions.ts'
import { requestProcess } from '../../../lib/domain/videos/requeue.ts'
import { builtInVoices, findVoice } from '../../../lib/domain/videos/voices.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { narrateScenes, storeSoundtrack } from '../../../lib/use-cases/generation/ensure-narration.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import type { FakeVendor, VendorFault } from '../../support/fake-vendors/fake-vendor.ts'
import { billedSpeechRequests, startFakePolly } from '../../support/fake-vendors/polly.ts'
import { storedScene } from '../../support/given/scenes.ts'
import { newWorld, videoInputOf, type World } from '../../support/world.ts'

let vendor: FakeVendor
let world: World
beforeAll(async () => {
  ;[vendor, world] = await Promise.all([startFakePolly(), newWorld()])
  vi.stubEnv('PROVIDERS', '{"narrator":"polly"}')
  vi.stubEnv('AWS_ENDPOINT_URL_POLLY', vendor.url)
})
afterAll(() => vendor.stop())
beforeEach(() => {
  vendor.calls.length = 0
  vendor.faults.length = 0
  vendor.fault = null
})

const sentence = 'One small habit that you repeat every day builds more than any great plan. '
const asUsual: VendorFault = (usual) => usual
const paidTexts = () => billedSpeechRequests(vendor).map(({ body }) => JSON.parse(body.toString('utf8')).Text as string)

/** A video in generation whose script is written. */
async function scripted(text: string, voiceId = 'polly-Joanna', videoDuration: 'subminute' | 'medium' = 'medium') {
  const workspace = await getWorkspace(world.workspaceId)
  // A text that is far too long is refused before there is a video; a writer may still exceed the duration.
  const { brief, ...rest } = videoInputOf({ prompt: 'Habits' })
  const ids = { videoId: mintId('vid', now()), runId: mintId('run', now()) }
  await commit(createVideo(workspace, { ...rest, brief: { ...brief, videoDuration, voiceId } }, ids, now()))
  const run = { workspaceId: workspace.id, ...ids }
  await changeVideo(run, (video) => beginProcess(video, ids.runId, now()))
  const owner = { workspace, videoId: ids.videoId }
  const key = artefactKey(owner, 'scripts', text, 'json')
  await storeJson(owner, key, { title: 'Habits', text })
  return { owner, input: { ...run, script: { key } } }
}

describe('a narration', () => {
  it('names the sound that it describes where another worker has stored its own and not yet its facts', async () => {
    const { owner, input } = await scripted(sentence)
    const taken = narrationSoundKey(narrationKey(owner, sentence, 'polly-Joanna'))
    await putObject(taken, Buffer.from('of another worker'), 'audio/wav')
    const { audioKey, durationMs } = await getJson<NarrationFacts>((await narrate(input)).key)
    expect(audioKey).not.toBe(taken)
    expect((await getObject(audioKey)).length).toBeGreaterThan(durationMs * 32)
    expect(Buffer.from(await getObject(taken)).toString()).toBe('of another worker')
  })

  it('is stored with its sound before the next step, and never bought again', async () => {
    const { owner, input } = await scripted(sentence)
    const { key } = await narrate(input)
    const { audioKey, words, durationMs } = await getJson<NarrationFacts>(key)
    expect(audioKey).toBe(narrationSoundKey(narrationKey(owner, sentence, 'polly-Joanna')))
    expect(words).toHaveLength(14)
    expect(durationMs).toBeGreaterThan(1_000)
    expect((await getObject(audioKey)).length).toBeGreaterThan(durationMs * 32)
    expect(billedSpeechRequests(vendor)).toHaveLength(2)
    expect(await narrate(input)).toEqual({ key })
    expect(billedSpeechRequests(vendor)).toHaveLength(2)
  })

  it('that was interrupted between two parts resumes with the next part', async () => {
    const text = Array.from({ length: 60 }, (_, index) => `Habit ${index} is the following. ${sentence.trim()}`).join(
      ' ',
    )
    const { input } = await scripted(text)
    vendor.faults = [asUsual, asUsual]
    vendor.fault = { status: 500, body: {} }
    await expect(narrate(input)).rejects.toMatchObject({ name: 'TryAgain' })
    const [first] = paidTexts()
    vendor.fault = null
    const { words } = await getJson<NarrationFacts>((await narrate(input)).key)
    expect(words.map((word) => word.text).join(' ')).toBe(text)
    expect(paidTexts().filter((paid) => paid === first)).toHaveLength(2)
  })

  it('fails with the name of the voice that the vendor removed, without a request', async () => {
    const { input } = await scripted(sentence, 'polly-Gone')
    const failure = narrate(input)
    await expect(failure).rejects.toMatchObject({ name: 'JobFailed' })
    await expect(failure).rejects.toThrow(/voice-failed.*polly-Gone/)
    expect(billedSpeechRequests(vendor)).toEqual([])
  })

  it('in a built-in voice is free when Polly was chosen', async () => {
    const { input } = await scripted('One two three.', 'en-clara')
    await narrate(input)
    expect(billedSpeechRequests(vendor)).toEqual([])
  })
})

describe('a text that takes far longer to speak than what was paid for', () => {
  it('is refused before it is spoken', async () => {
    const { input } = await scripted(sentence.repeat(40), 'polly-Joanna', 'subminute')
    const failure = narrate(input)
    await expect(failure).rejects.toMatchObject({ name: 'JobFailed' })
    await expect(failure).rejects.toThrow(/voice-failed.*the brief asks for 60/)
    expect(billedSpeechRequests(vendor)).toEqual([])
  })
})

describe('a generation whose brief is edited after payment', () => {
  it('uses the length and the voice that were paid for; the next one uses the edit', async () => {
    const { owner, input } = await scripted(sentence.repeat(40), 'polly-Joanna', 'subminute')
    const edit = { videoDuration: 'medium', targetDuration: 600, voiceId: 'polly-Matthew' } as const
    const voices = await loadVoices()
    const edited = await changeVideo(input, (video) => editVideo(video, edit, voices, now()))
    expect(edited.brief).toMatchObject(edit)
    await expect(narrate(input)).rejects.toThrow(/voice-failed.*the brief asks for 60/)
    expect(billedSpeechRequests(vendor)).toEqual([])

    const short = await scripted(sentence, 'polly-Joanna', 'subminute')
    await changeVideo(short.input, (video) => editVideo(video, edit, voices, now()))
    const { audioKey } = await getJson<NarrationFacts>((await narrate(short.input)).key)
    expect(narrationFactsKey(audioKey)).toBe(narrationKey(short.owner, sentence, 'polly-Joanna'))

    await changeVideo(input, (video) => failJob(video, 'process', input.runId, timeoutError, now()))
    const runId = mintId('run', now())
    const wishes = { transcribe: true, addBRolls: true, render: false }
    await changeVideo(input, (video) => requestProcess(owner.workspace, video, wishes, runId, now()))
    await changeVideo(input, (video) => beginProcess(video, runId, now()))
    const again = await getJson<NarrationFacts>((await narrate({ ...input, runId })).key)
    expect(narrationFactsKey(again.audioKey)).toBe(narrationKey(owner, sentence.repeat(40), 'polly-Matthew'))
  })
})

it('the scenes of a clip are those of its source, even after the clip has its own sound', async () => {
  const [source, clip] = [await scripted(sentence), await scripted(sentence)]
  const voice = findVoice(await loadVoices(), 'polly-Joanna')!
  const scenes = ['Sleep early.', 'Wake with the light.'].map((narration, index) => storedScene(index, { narration }))
  await narrateScenes(source.owner, scenes, voice)
  vendor.calls.length = 0
  const edited = scenes.with(1, storedScene(1, { narration: 'Open the window.' }))
  await narrateScenes(clip.owner, edited, voice, source.owner)
  expect(new Set(paidTexts())).toEqual(new Set(['Open the window.']))
  vendor.calls.length = 0
  await narrateScenes(clip.owner, edited, voice)
  expect(billedSpeechRequests(vendor)).toEqual([])
})

it('the scenes of a video are bought once each, with voices of one provider', async () => {
  const { owner } = await scripted(sentence)
  const voices = await loadVoices()
  const voice = findVoice(voices, 'polly-Joanna')!
  const scenes = [
    storedScene(1, { narration: 'Calm mornings begin in the evening.' }),
    storedScene(2, { narration: 'Sleep early.', voiceDescription: 'A deep male voice' }),
  ]
  const spoken = await narrateScenes(owner, scenes, voice)
  await storeSoundtrack(owner, scenes, spoken, voice)
  const speakers = billedSpeechRequests(vendor).map(({ body }) => JSON.parse(body.toString('utf8')).VoiceId)
  expect(speakers.toSorted()).toEqual(['Joanna', 'Joanna', 'Matthew', 'Matthew'])
  await narrateScenes(owner, scenes, voice)
  expect(billedSpeechRequests(vendor)).toHaveLength(4)
})

it('the artefact key of a built-in narration is the same as before vendors were supported', () => {
  const owner = { workspace: { id: 'wsp_1', mediaSecret: 'secret' }, videoId: 'vid_1' }
  const [clara] = builtInVoices
  const before = artefactKey(owner, 'narrations', ['built-in-3', clara!.id, 'Hello'], 'json')
  expect(narrationKey(owner, 'Hello', clara!.id)).toBe(before)
  expect(narrationKey(owner, 'Hello', 'polly-Joanna')).not.toBe(narrationKey(owner, 'Hello', 'eleven-Joanna'))
})
