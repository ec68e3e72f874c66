/** The input of a script, and the step in which a run failed. */
import { describe, expect, it } from 'vitest'
import { failureCodeAfter, failureCodeOf } from '../../../lib/domain/generation/failure-stage.ts'
import { scriptSource } from '../../../lib/domain/generation/script.ts'
import type { ProcessKind } from '../../../lib/domain/records/jobs.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { ideaOf } from '../../../lib/domain/videos/idea.ts'
import { briefWith, videoThatIs } from '../support/videos.ts'

const videoWith = (brief: Parameters<typeof briefWith>[0], fields: Partial<Video> = {}): Video => ({
  ...videoThatIs.generating(),
  brief: briefWith(brief),
  ...fields,
})
const rewriting = (video: Video): Video => ({
  ...video,
  process: { ...video.process!, work: 'script', runId: 'run_7' },
})

describe('the idea of a brief', () => {
  it('is its prompt, else the beginning of its text', () => {
    expect(ideaOf({ prompt: 'Tea', text: 'One. Two. Three.' })).toBe('Tea')
    expect(ideaOf({ prompt: ' ', text: 'One. Two. Three.' })).toBe('One. Two.')
    expect(ideaOf({ prompt: null, text: 'no end' })).toBe('no end')
    expect(ideaOf({ prompt: null, text: null })).toBe('')
  })

  it('is short for a text without sentences, and never splits a character', () => {
    const idea = ideaOf({ prompt: null, text: '😀'.repeat(1_000) })
    expect(Array.from(idea)).toHaveLength(400)
    expect(idea.isWellFormed()).toBe(true)
  })
})

describe('a script', () => {
  it("is the client's own text when that is to be spoken", () => {
    expect(scriptSource(videoWith({ text: ' My words. ' }))).toEqual({ text: 'My words.' })
    expect(scriptSource(videoWith({ text: 'My words.', inputMode: 'script' }))).toEqual({ text: 'My words.' })
  })

  it('is otherwise written from the idea, within the requested length', () => {
    const order = scriptSource(
      videoWith({ scriptPrompt: 'Bold', text: 'Mine.', inputMode: 'idea', targetDuration: 30 }),
    )
    expect(order).toEqual({
      prompt: 'An idea',
      scriptPrompt: 'Bold',
      language: 'en',
      durationSecondsMax: 30,
      mood: null,
      variation: null,
    })
  })

  it('of a variation is always the same alternative', () => {
    expect(scriptSource(videoWith({}, { variation: 'vid_2' }))).toMatchObject({ variation: 'vid_2' })
  })

  it('that is requested alone is rewritten in every run, whatever text exists', () => {
    expect(scriptSource(rewriting(videoWith({ text: 'My words.', inputMode: 'script' })))).toMatchObject({
      prompt: 'An idea',
      variation: 'run_7',
    })
  })
})

describe('a run that ended without a reported error', () => {
  const alone: [ProcessKind, string][] = [
    ['script', 'script-failed'],
    ['clip', 'visuals-failed'],
    ['ingest', 'transcription-failed'],
    ['convert', 'visuals-failed'],
  ]

  it.each(alone)('with only %s has the code %s', (work, code) => {
    expect(failureCodeOf({ work, progress: 50 })).toBe(code)
    expect(failureCodeAfter({ begun: { work, type: 'faceless' }, script: {} })).toBe(code)
  })

  it('is classified by the last step in its job document', () => {
    const at = (progress: number) => failureCodeOf({ work: 'generate', progress })
    expect([0, 5, 14].map(at)).toEqual(Array(3).fill('script-failed'))
    expect([15, 39].map(at)).toEqual(Array(2).fill('voice-failed'))
    expect([40, 95, 100].map(at)).toEqual(Array(3).fill('visuals-failed'))
  })

  it('is classified by the results of its steps', () => {
    const begun = { work: 'generate' as const, type: 'faceless' }
    expect(failureCodeAfter({})).toBe('script-failed')
    expect(failureCodeAfter({ begun })).toBe('script-failed')
    expect(failureCodeAfter({ begun, script: {} })).toBe('voice-failed')
    expect(failureCodeAfter({ begun, script: {}, narration: {} })).toBe('visuals-failed')
  })

  it('is classified by its scenes for an ai video', () => {
    const begun = { work: 'generate' as const, type: 'ai' }
    expect(failureCodeAfter({ begun, script: {} })).toBe('script-failed')
    expect(failureCodeAfter({ begun, script: {}, scenes: {} })).toBe('voice-failed')
    expect(failureCodeAfter({ begun, script: {}, scenes: {}, visuals: {} })).toBe('visuals-failed')
  })
})
