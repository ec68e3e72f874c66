/** The storage keys of what is read of a source file. */
import { expect, it } from 'vitest'
import { refuseLongSource, sourceFactsKey, transcriberIds } from '../../../lib/domain/generation/source.ts'

const owner = { workspace: { id: 'wsp_1', mediaSecret: 'secret' }, videoId: 'vid_1' }

it('each transcriber has facts of its own; those of the built-in one keep the key of earlier versions', () => {
  const keys = Object.values(transcriberIds).map((id) => sourceFactsKey(owner, 'source.mp4', id))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys[0]).toMatchInlineSnapshot(`"wsp_1/vid_1/plans/5309e9b27872e7acc84d9236dcf15b3e.json"`)
})

it('a source is read for half an hour at most', () => {
  expect(() => refuseLongSource(1_800)).not.toThrow()
  expect(() => refuseLongSource(1_800.2)).toThrow('The source is 1801 seconds long; the maximum is 1800.')
})
