/** GET /voices. */
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import type { VoiceResource } from '../../../lib/contract/resources/index.ts'
import { probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, at: string, body?: unknown) => callApi(method, at, { key: world.apiKey, body })

interface Voice {
  id: string
  provider: string
  language: string
  previewUrl: string
}

const voicesFor = async (query = ''): Promise<Voice[]> => (await send('GET', `/voices${query}`)).body.data

describe('GET /voices', () => {
  rule('voices.list.shape', async () => {
    for (const voice of await voicesFor())
      expect(voice).toEqual({
        id: expect.stringMatching(/./),
        name: expect.stringMatching(/./),
        provider: expect.stringMatching(/^(standard|expressive)$/),
        language: expect.stringMatching(/^[a-z]{2}$/),
        gender: expect.stringMatching(/^(female|male|neutral)$/),
        previewUrl: expect.stringMatching(/^https?:/),
      })
  })

  rule('voices.list.complete', async () => {
    const voices = await voicesFor()
    for (const { id, provider } of voices) {
      const { body } = await send('POST', '/videos', { prompt: 'x', voiceId: id, voiceProvider: provider })
      expect(body.data.brief).toMatchObject({ voiceId: id, voiceProvider: provider })
    }
    const refused = await send('POST', '/videos', { prompt: 'x', voiceId: 'nobody' })
    const allowed = voices.map(({ id }) => id)
    expect(refused.body.error.details[0].allowed.toSorted()).toEqual(allowed.toSorted())
  })

  rule('voices.list.filters', async () => {
    const all = await voicesFor()
    expect(await voicesFor('?language=de')).toEqual(all.filter(({ language }) => language === 'de'))
    expect(await voicesFor('?provider=standard')).toEqual(all.filter(({ provider }) => provider === 'standard'))
    const french = await voicesFor('?language=fr')
    expect(french.length).toBeGreaterThan(1)
    expect(new Set(french.map(({ language }) => language))).toEqual(new Set(['fr']))
    expect(await voicesFor('?provider=standard&language=fr')).toHaveLength(2)
    for (const query of ['?language=xx', '?provider=unheard']) expect(await voicesFor(query), query).toEqual([])
  })

  rule('voices.list.preview', async () => {
    const { apiKey: key } = await newWorld()
    const voices: VoiceResource[] = (await callApi('GET', '/voices', { key })).body.data
    const clips = await Promise.all(
      voices.map(({ previewUrl }) => {
        expect(new URL(previewUrl!).pathname).toMatch(/\/voices\/[\w-]+\.m4a$/)
        // The local run and the deployment put this folder under that address.
        const file = join(import.meta.dirname, '../../../assets/voices', basename(previewUrl!))
        return probeMedia(file, 'mov', { directory: tmpdir(), timeoutMs: 20_000 })
      }),
    )
    for (const clip of clips) {
      expect(clip.audio?.codec).toBe('aac')
      expect(clip.durationMs).toBeGreaterThan(1_000)
    }
  })
})
