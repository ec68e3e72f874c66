/** The storage keys of what is read of a source file. */
import { expect, it } from 'vitest'
import {
  needsTranscript,
  refuseLongSource,
  sourceFacts,
  sourceFactsKey,
  sourceReadingKey,
  type TranscriberId,
  transcriberIds,
} from '../../../lib/domain/generation/source.ts'

const owner = { workspace: { id: 'wsp_1', mediaSecret: 'secret' }, videoId: 'vid_1' }

it('each transcriber has facts of its own; those of the built-in one keep the key of earlier versions', () => {
  const keys = Object.values(transcriberIds).map((id) => sourceFactsKey(owner, 'source.mp4', id))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys[0]).toMatchInlineSnapshot(`"wsp_1/vid_1/plans/5309e9b27872e7acc84d9236dcf15b3e.json"`)
})

it('what a file tells has a key of its own', () => {
  const keys = Object.values(transcriberIds).map((id) => sourceFactsKey(owner, 'source.mp4', id))
  expect(keys).not.toContain(sourceReadingKey(owner, 'source.mp4'))
})

const files = { sourceKey: 'source.mp4', audioKey: 'sound.wav', thumbnailKey: 'thumbnail.jpg', durationMs: 1_000 }
const word = { text: 'Fish', startMs: 800, endMs: 1_200 }
const passages = [{ startMs: 700, endMs: 1_000 }]

it('a vendor hears only what has sound and no subtitles', () => {
  const hears = (words: (typeof word)[], heard: typeof passages, id = transcriberIds.transcribe as TranscriberId) =>
    needsTranscript({ ...files, words, passages: heard }, id)
  expect(hears([], passages)).toBe(true)
  expect([hears([word], passages), hears([], []), hears([], passages, 'built-in')]).toEqual([false, false, false])
})

it('words end with the picture', () => {
  const late = { text: 'chips', startMs: 1_000, endMs: 1_300 }
  const facts = { ...files, words: [{ ...word, endMs: 1_000 }] }
  expect(sourceFacts({ ...files, words: [], passages }, [word, late])).toEqual(facts)
  expect(sourceFacts({ ...files, words: [word, late], passages })).toEqual(facts)
})

it('a source is read for half an hour at most', () => {
  expect(() => refuseLongSource(1_800)).not.toThrow()
  expect(() => refuseLongSource(1_800.2)).toThrow('The source is 1801 seconds long; the maximum is 1800.')
})
